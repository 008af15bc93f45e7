"""The one table of rules, in the order of the documentation."""

from __future__ import annotations

from molt.policy.rules import access, content, graph, memory, message

RULES = (*message.RULES, *memory.RULES, *access.RULES, *graph.RULES, *content.RULES)
