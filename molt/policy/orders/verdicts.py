"""What an order does, as a finding says it to a person."""

from __future__ import annotations

READS = "it reads like an order that somebody planted for the agent"
HIDDEN = "it speaks to the agent where no reader sees it"
FORGES = "it forges a turn of a conversation or a call of a tool"
LEAKS = "it gives something away by the address of an image"
