"""Our tasks and judges in other frameworks, one module each; see ``docs/integrations.md``.

Importing this package needs none of them.
"""
