"""The ground floor: what tasks, judges and trainers share. It imports none of them."""
