"""Links to other libraries, one module each, which is imported by nothing else."""
