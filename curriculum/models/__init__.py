"""Small networks made on the spot, their tokenizers and warm-up, and adapters."""
