"""Estimates the GPU memory of a training or an evaluation before it is run."""
