"""What the records of an evaluation say: scores with intervals, costs, comparisons, reports."""
