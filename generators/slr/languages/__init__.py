"""The languages that are shipped; each is a YAML file that a user may copy and change."""
