"""Symbolic judges: engines that know nothing of trainers, models or task families."""
