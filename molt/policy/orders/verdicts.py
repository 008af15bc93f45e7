"""What an order has the agent do, as a finding says it to a person."""

from __future__ import annotations

DEFIES = "it tells the agent to ignore its instructions"
ROLE = "it gives the agent another role or other instructions"
HUSH = "it tells the agent to hide something from the user"
CALLS = "it gives orders to the agent that reads it"
LEAKS = "it tells the agent to give something away"
HIDDEN = "it speaks to the agent where no reader sees it"
