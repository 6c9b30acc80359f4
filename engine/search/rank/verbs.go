package rank

import "github.com/aurora-sidecar/aurora/engine/codebase"

// verbs are what functions do, as documentation and commits say. Those that are as often nouns in questions about code are left
// out: request, queue, test, cache; and those that tell of a file or a type: provide, define.
var verbs = codebase.WordSet(`accept acquire activate adapt add adjust advance aggregate align allocate allow analyze append apply approve arrange
	assemble assert assign attach authenticate authorize await begin browse build calculate call cancel capture cast catch
	change check choose clamp close collapse collect combine compare compile compose compress compute concat concatenate
	configure confirm connect construct consume convert copy create crop customize cut decide decode decompress decorate
	decrease decrement decrypt deduplicate defer delete deny dequeue derive deserialize destroy detach detect determine
	disable discard disconnect discover dispose divide do drop elide emit emulate enable encode encrypt enforce enqueue
	ensure enter enumerate erase establish estimate evaluate evict exclude execute expand expect expire explain extend
	extract fail fetch fill finalize find finish fix flatten flip flush fold follow force forward freeze generate get give
	go grab grant grow guess handle hide highlight hold identify ignore implement improve increase increment infer inform
	inherit init initialise initialize inject insert inspect install instantiate intercept interpolate interpret intersect
	invalidate invert invoke iterate join keep kill launch lay listen load locate look lookup lower make manage mark
	memoize merge migrate minimize modify move multiply mutate navigate negate normalize notify observe obtain optimize
	pad paginate parse pass pause peek perform persist pick pin pop populate prepare prepend preserve press prevent print
	produce propagate prune publish pull purge push put quit raise randomize reach react read rebuild receive recompute
	reconnect recover recreate recursively redraw reduce refactor refer refresh register reject reload remove rename
	render reopen reorder repeat replace replay represent require reserve reset resize resolve respond restart restore
	restrict resume retain retrieve return reuse reveal reverse revert revoke rewind rewrite roll rotate sanitize save
	scan scroll seek select send serve shift show shrink shuffle shut sign simplify simulate skip snap solve spawn specify
	split squash start stop stringify strip subscribe subtract suggest suppress suspend swap synchronize take tear tell
	terminate throw toggle tokenize transform translate transpose traverse treat trim truncate try turn unbind unescape
	unify uninstall unlink unload unlock unmarshal unmount unpack unregister unset unsubscribe unwrap unzip update upgrade
	upload use verify wait wake walk warn wrap write zip`)

// thirdPerson are verbs only in the third person, as documentation uses them: "sets the limit" is what code does, "set operations"
// are a part of it.
var thirdPerson = codebase.WordSet("count filter group limit list lock map match open run set sort store")
