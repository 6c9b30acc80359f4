package graph_test

import (
	"testing"

	"golang.org/x/tools/txtar"
)

// composed is a workspace of PHP whose folders are not called like its namespaces.
const composed = `
-- composer.json --
{"name": "acme/blog", "autoload": {"psr-4": {"Acme\\Blog\\": "lib/", "Acme\\": ["other", "more/"]}}, "autoload-dev": {"psr-4": {"Acme\\Blog\\Tests\\": "tests"}}}
-- lib/User.php --
<?php
namespace Acme\Blog;
class User { public function save() {} }
-- lib/Model/Post.php --
<?php
namespace Acme\Blog\Model;
class Post { public function save() {} }
-- more/User.php --
<?php
namespace Acme;
class User { public function save() {} }
-- vendor2/User.php --
<?php
namespace Other;
class User { public function save() {} }
-- tests/Factory.php --
<?php
namespace Acme\Blog\Tests;
class Factory { public static function make() {} }
-- app/one.php --
<?php
use Acme\Blog\User;
function one(User $u) { $u->save(); }
-- app/two.php --
<?php
use Acme\User as Person;
use Acme\Blog\{Model\Post, Tests\Factory};
function two(Post $p) { $p->save(); Factory::make(); }
function three(Person $q) { $q->save(); }
`

func TestComposerFindsClasses(t *testing.T) {
	w := openWorkspace(t, txtar.Parse([]byte(composed)).Files)
	for _, test := range []struct{ of, want string }{
		{"lib/User.php:User.save", "one.php:one"},
		{"lib/Model/Post.php:Post.save", "two.php:two"},
		{"vendor2/User.php:User.save", ""},
		{"tests/Factory.php:Factory.make", "two.php:two"},
	} {
		if got := w.callers(t, test.of, 0.8); got != test.want {
			t.Errorf("%s is called by %q, want %q", test.of, got, test.want)
		}
	}
}
