" A session of ALE with the sidecar, in a copy of testdata/project:
"   AURORA_CMD='aurora serve' vim -N -u NONE -i NONE -n -es -S ale.vim
" Vim 9 with ALE (Debian: vim-ale). Status 0 when all passed.
set nocompatible hidden
filetype on
let g:ale_linters_explicit = 1
let g:ale_linters = {'go': ['aurora']}
let g:ale_hover_to_preview = 1
let g:ale_virtualtext_cursor = 0
let g:ale_fix_on_save = 0
set runtimepath^=/usr/share/vim-ale
runtime plugin/ale.vim
call ale#linter#Define('go', {'name': 'aurora', 'lsp': 'stdio',
  \ 'executable': 'env', 'command': '%e ' . $AURORA_CMD, 'language': 'go',
  \ 'project_root': {_ -> getcwd()}})
let s:log = []
let s:bad = 0

func s:check(name, ok, got)
  call add(s:log, (a:ok ? 'ok      ' : 'FAILED  ') . a:name . (a:ok ? '' : ': got ' . string(a:got)))
  let s:bad += !a:ok
endfunc

" Handles what the server sends until F() is true-ish; returns its value.
func s:wait(F)
  for _ in range(3000)
    let value = a:F()
    if !empty(value) | return value | endif
    sleep 20m
  endfor
  return value
endfunc

func s:preview()
  for w in range(1, winnr('$'))
    if getwinvar(w, '&previewwindow') | return join(getbufline(winbufnr(w), 1, '$'), "\n") | endif
  endfor
  return ''
endfunc

func s:request(method, params)
  let s:reply = []
  call ale#lsp_linter#SendRequest(bufnr(''), 'aurora', [0, a:method, a:params], {m -> add(s:reply, m)})
  return get(get(s:wait({-> s:reply}), 0, {}), 'result', {})
endfunc

func s:first_hit(query)
  let hits = get(s:request('aurora/search', {'query': a:query, 'limit': 1}), 'hits', [])
  return get(get(hits, 0, {}), 'name', '')
endfunc

" Asks again until the hover is there: on a busy machine the sidecar answers nothing rather than late.
func s:hover()
  for _ in range(100)
    ALEHover
    for _ in range(25)
      if s:preview() !=# '' | return s:preview() | endif
      sleep 20m
    endfor
  endfor
  return ''
endfunc

try
  edit internal/basket/basket.go
  setfiletype go
  ALELint
  let s:state = s:wait({-> get(s:request('aurora/status', {}), 'state', '') ==# 'ready'})
  call s:check('the index gets ready', s:state, s:state)
  call search('volumeDiscount(len')
  let s:text = s:hover()
  call s:check('hover', s:text =~# 'volumeDiscount', s:text)
  pclose
  ALESymbolSearch ParsePrice
  let s:text = s:wait(function('s:preview'))
  call s:check('workspace symbols', s:text =~# 'price\.go', s:text)
  pclose
  call append('$', ['', '// 🍐', 'func pearTreeHeight() int { return 3 }'])
  ALELint
  let s:name = s:wait({-> s:first_hit('pearTreeHeight') ==# 'pearTreeHeight'})
  call s:check('unsaved text is found', s:name, s:first_hit('pearTreeHeight'))
  let s:answer = s:request('aurora/query', {'query': 'where is ParsePrice defined?'})
  call s:check('a question is answered', get(s:answer, 'answer', '') =~# 'price\.go', s:answer)
  call s:check('nothing is taken for a fault of the code', ale#engine#GetLoclist(bufnr('')) == [], ale#engine#GetLoclist(bufnr('')))
  ALEStopAllLSPs
catch
  call s:check('no exception: ' . v:exception . ' at ' . v:throwpoint, 0, '')
endtry
call add(s:log, (len(s:log) - s:bad) . ' passed, ' . s:bad . ' failed')
call writefile(s:log, '/dev/stdout', 'a')
if s:bad | cquit 1 | else | qall! | endif
