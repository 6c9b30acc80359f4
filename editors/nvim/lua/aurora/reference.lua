-- What the help says of commands and options: doc/aurora.txt is generated from it (scripts/doc.lua), and a test holds it
-- against what there is.
local M = {}

---{ name, arguments, with "[range]" before it, with "!" after it, text }
M.commands = {
  { name = 'search', args = '[words]', text = [[
Search code and memory for words, identifiers or fragments, and choose from the hits in a picker, see |aurora-pickers|.
Unsaved text is searched, too. "type:function", "lang:go" and "path:internal/" among the words narrow the search. Without
words, search while you type.]] },
  { name = 'search', args = '{words}', bang = true, tag = false, text = [[
The same into the |quickfix| list.]] },
  { name = 'query', args = '{question}', range = true, text = [[
Answer a question in a split, as it is written, with its sources and the phases it went through. With a range, the question
is about it. The window of an answer that is complete is used again; |CTRL-O| comes back to that. See |aurora-answer|.]] },
  { name = 'change', args = '{words}', range = true, text = [[
Ask the model for a change of the code. The answer has it as a diff; nothing is written. In its window "a" makes all of it in the
buffers, and "d" shows a file in diff mode beside what is proposed for it, where |do| takes a place over.]] },
  { name = 'cancel', text = 'Cancel the questions that are not answered yet.' },
  { name = 'sources', text = 'Put the sources of the latest answer into the quickfix list.' },
  { name = 'context', args = '[words]', range = true, text = [[
Show what one needs to know about the selection, the symbol under the cursor or the words, ready to copy into a prompt. A
selection by characters counts exactly.]] },
  { name = 'related', args = '[direction]', text = [[
List the neighbours of the symbol under the cursor in the quickfix list: "callers" (when no direction is given), "callees",
"imports", "importers", "supertypes", "subtypes", "tests" (of the symbol, or what a test tests), "cochanged" or "all". What
is a guess among several definitions is marked "(unsure)".]] },
  { name = 'why', range = true, text = [[
Show why the line, or the lines of the range, are as they are: the commits that wrote them, with their issues and pull
requests, the change before, and the notes about them.]] },
  { name = 'review', args = '[staged|{branch}..]', text = [[
Review the work tree, what is staged, or a branch since it left another: notes that the change touches, callers left behind by
new parameters, comments that name removed ones, files that usually change with the changed ones, secrets, and the commands that
test it, in the quickfix list. With ! a model, if there is one, says first in a few sentences what was found.]] },
  { name = 'remember', args = '[text]', range = true, text = [[
Remember a note, with the place it is about; with a range also the text of the range. Asks for the note when there is
none, and whom it is for where you have joined a team. With ! the note becomes a file of .aurora/notes, for a team to commit.]] },
  { name = 'forget', args = '[words]', text = [[
Choose a remembered record and forget it: one of those that the words find, without words one of the latest notes and
decisions. For 30 days it can be brought back.]] },
  { name = 'restore', text = [[
Choose from what was forgotten and bring it back; with ! at once what was forgotten here last.]] },
  { name = 'memory', text = [[
Choose from the records that you should look at, each with the reasons: what agents remembered, what cites changed code, is
contradicted or about to end. Then accept it as it is, edit it, or forget it.]] },
  { name = 'capture', args = '[comments|never]', text = [[
Choose from the decisions and reasons that your latest 100 commits state and memory lacks, and remember one with the code
that it is about, or have it never offered again. With ! also commits of other people; with comments those that comments
of the code state which are marked NOTE, HACK, WORKAROUND, TODO or DECISION. After a commit of yours one message may say
what there is to remember, at most once an hour; with never no more in this repository.]] },
  { name = 'deeper', text = [[
Ask the latest question again, more strictly verified each time; needs a model.]] },
  { name = 'rate', args = '{good|bad|-1..1}', text = [[
Rate what was looked at last: a hit, or the sources of an answer or of a context. What is rated badly comes last from then
on. Going to hits, also from the quickfix list, copying from answers and contexts, and saving edits count, too.]] },
  { name = 'trust', text = [[
Show the agents that this project brings along and let them, and its settings, run programs and send data; with ! no longer.
Until then none of it is run. An agent that asks you something does so by |vim.ui.select()| or |vim.ui.input()|.]] },
  { name = 'status', text = 'Show the state of the index, the model and what is amiss.' },
  { name = 'refresh', args = '[paths]', text = 'Read files again; with ! unchanged ones, too.' },
  { name = 'log', text = 'Open the log.' },
  { name = 'start', text = 'Start the sidecar for every open file.' },
  { name = 'stop', text = 'Stop it; files do not start it any more.' },
  { name = 'restart', text = 'Stop and start it, also after a crash.' },
}

---{ name, text }
M.options = {
  { 'enabled', 'false: nothing starts by itself, only |:Aurora-start| does. Default true.' },
  { 'cmd', "The server's command line. Default { 'aurora', 'serve' }." },
  { 'start_timeout_seconds', 'How long the server may take to answer when it starts, before it is ended. Default 20.' },
  { 'root_markers', [[
Names of files and folders that make a folder a project. Names in a list inside the list rank the same and the nearest wins;
an earlier entry beats a later one. Default: .aurora, .git, .hg and .jj before go.work, go.mod, package.json,
pyproject.toml, setup.py, Cargo.toml, pom.xml and Makefile.]] },
  { 'filetypes', 'Only files of these types. Default {}: all files.' },
  { 'max_file_bytes', 'Larger buffers are left alone. Default 5 MiB.' },
  { 'picker', [[
What shows hits: "telescope", "snacks", "fzf-lua" or "select" (|vim.ui.select()|). Default "auto": the first of them that is
there.]] },
  { 'search_limit', 'Most hits of |:Aurora-search|. Default 20.' },
  { 'context_tokens', 'Most tokens of |:Aurora-context|. Default 4000.' },
  {
    'offer_after_commit',
    'Tell, after a commit that states a decision, that it can be remembered. Default true.',
  },
  {
    'decisions',
    [[Show what was decided, and what is noted, at the end of the lines that it is about, with a sign (from 0.8 on); highlights
AuroraDecision and AuroraDecisionStale. Default false.]],
  },
  { 'settings', 'Settings of the sidecar, with the keys of ~/.aurora/config.json.' },
  { 'capabilities', [[
Added to the capabilities that Neovim announces. Positions are counted in UTF-16, as every server can, so that buffers with
several servers work.]] },
}

return M
