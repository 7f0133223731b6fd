"""The agent: a language model that makes programs smaller with Ordo's tools, and how it is taught.

==============  ==================================================================================
exits           how commands end that fail
tools           a client of ``ordo mcp``, which has the tools
vocabulary      the names there are: features, tools and what they take, words of the protocol
tokens          the table of compact tokens: one for each action, frame, name and bin
grammar         what the model may say next, and what it has said
dialogue        dialogues of messages as compact tokens, and back
observe         what users and tools say, as compact tokens
chat            the same as plain chat text, as foreign models have it
model           models of a folder, a GGUF file, or as shipped, made compact or not
weights         what training adds to a base model, as one small file
generate        many dialogues continued at once
tasks           lines of trajectories files, and the tasks that they begin with
play            dialogues with real tools
rewards         what a dialogue was worth
demonstrate     ``python -m ordo.agent.demonstrate``: dialogues to learn from, with real tools
similar         what is known of other programs, and which of them are like one
teacher         what helps on a program, tried before it is demonstrated
templates       the ways in which a program is demonstrated
reasons         what a demonstration thinks
demonstrations  a dialogue that is being made, its prompt, and the file that it goes into
card            what is in a file of demonstrations
sft, rl, train  the two stages of training, and ``python -m ordo.agent.train``
trainee, runs   a model made ready to be trained, and the folder of a run
serve           ``python -m ordo.agent.serve MODEL``: a model for ``ordo agent``
export_verl     the same tasks for verl, with verl_tools and verl_reward
==============  ==================================================================================

Nothing here needs the compiled module, and only what works on models needs PyTorch: extra ``[agent]``.
"""
