"""What a training, or an evaluation, takes of a GPU: by arithmetic, before one is rented."""
