"""The agent: a language model that makes programs smaller with Ordo's tools, and how it is taught.

==============  ==================================================================================
tools           a client of ``ordo mcp``, which has the tools
vocabulary      the names there are: features, tools and what they take, words of the protocol
tokens          the table of compact tokens: one for each action, frame, name and bin
grammar         what the model may say next, and what it has said
dialogue        dialogues of messages as compact tokens, and back
chat            the same as plain chat text, as foreign models have it
model           models of a folder, a GGUF file, or as shipped, made compact or not
generate        many dialogues continued at once
play            dialogues with real tools
rewards         what a dialogue was worth
sft, rl, train  the two stages of training, and ``python -m ordo.agent.train``
serve           ``python -m ordo.agent.serve MODEL``: a model for ``ordo agent``
export_verl     the same tasks for verl
==============  ==================================================================================

Nothing here needs the compiled module, and only what works on models needs PyTorch: extra ``[agent]``.
"""
