-- What a change takes out and other code still uses, and :Aurora! review, with a scripted model that says in a sentence what was found.
local script = vim.fn.tempname()
vim.fn.writefile({ vim.json.encode({
  { task = 'review_summary', json = { sentences = {
    { text = 'The change renames volumeDiscount to bulkDiscount.', sources = { 'S1' } },
    { text = 'Everything is fine and can be merged.', sources = { 'S1' } },
  } } },
}) }, script)
T.model('--script', script)

T.project('internal/basket/basket.go')

local function texts()
  local all = {}
  for _, item in ipairs(vim.fn.getqflist()) do
    all[#all + 1] = item.text
  end
  return all
end

T.test('a function with another name leaves its callers behind', function()
  local row = vim.fn.search('^func volumeDiscount')
  T.ok(row > 0, 'no function volumeDiscount')
  vim.fn.setline(row, (vim.fn.getline(row):gsub('volumeDiscount', 'bulkDiscount')))
  vim.cmd('Aurora review')
  T.wait('the caller', function()
    return table.concat(texts(), '\n'):find('This change renames volumeDiscount to bulkDiscount, and ', 1, true)
  end)
  for _, item in ipairs(vim.fn.getqflist()) do
    if item.text:find('renames', 1, true) then
      T.eq('W', item.type)
      T.match('basket', vim.fn.bufname(item.bufnr))
    end
  end
  vim.cmd('cclose')
end)

T.test('with a bang the model says first what was found, as far as findings bear it out', function()
  vim.cmd('Aurora! review')
  T.wait('the summary', function()
    return texts()[1] == 'The change renames volumeDiscount to bulkDiscount.'
  end)
  T.ok(not table.concat(texts(), '\n'):find('can be merged', 1, true), 'a sentence that nothing bears out is shown')
  vim.cmd('cclose')
end)
