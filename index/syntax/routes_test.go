package syntax

import (
	"slices"
	"strings"
	"testing"
)

// TestRoutes has the syntax in which frameworks are told routes, and what looks like it.
func TestRoutes(t *testing.T) {
	for _, tc := range []struct{ language, src, want string }{
		{"go", `package p
func f() {
	r.GET("/users/:id", h)
	s.router.Post("/users", func() {})
	http.HandleFunc("GET /items/{id}", h)
	mux.Handle(` + "`/static/`" + `, h)
	client.Get("/users", x)
	m.Get("/users")
	r.GET("users", h)
}`, "/users/:id /users GET /items/{id} /static/"},
		{"python", `
@app.route("/carts/<id>", methods=["GET"])
def cart(id): pass

@router.get('/items/{id}')
async def item(id): pass

@pytest.mark.get("no route")
def test(): pass

urlpatterns = [
    path("books/<int:pk>/", views.book, name="book"),
    path("", views.home),
]
requests.get("/x", timeout=1)
`, "/carts/<id> /items/{id} books/<int:pk>/"},
		{"typescript", "app.get('/users/:id', (req, res) => {});\nuserRouter.post(`/users`, auth, create);\naxios.get('/api', {});\nmap.get('/x', 1); app.get('env');", "/users/:id /users"},
		{"javascript", `fastify.route({}); server.delete("/a", f); cache.delete("/a", f)`, "/a"},
		{"java", `
@RequestMapping("/orders")
class Orders {
	@GetMapping(path = "/{id}", produces = "text/plain") Order one() { return null; }
	@PostMapping void add() {}
	@Named("/no") void no() {}
}`, "/orders /{id}"},
		{"csharp", `
[Route("api/[controller]")]
class Orders {
	[HttpGet("{id}")] public Order One() { return null; }
	[Obsolete("no")] public void No() { app.MapPost("/orders", Add); list.Add("/x", 1); }
}`, "api/[controller] {id} /orders"},
		{"php", `<?php
Route::get('/users/{id}', [UserController::class, 'show']);
$app->post("/users", function () {});
$cache->get('/users', 1);
#[Route('/cart', name: 'cart')]
function cart() {}
`, "/users/{id} /users /cart"},
		{"ruby", "get '/frank' do\nend\npost \"users/:id\", to: \"users#show\"\nget '/page'\n", "/frank users/:id"},
		{"rust", `
fn f() { Router::new().route("/users/:id", get(user)); map.get("/x", 1); }
#[get("/items")]
async fn items() {}
#[doc("/no")]
fn no() {}
`, "/users/:id /items"},
	} {
		out, err := Parse(ByName(tc.language), []byte(tc.src))
		if err != nil {
			t.Fatalf("%s: %v", tc.language, err)
		}
		var got []string
		for _, s := range out.Symbols {
			if s.Kind == Route {
				got = append(got, s.Name)
			}
		}
		if slices.Contains(got, "") || strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %q, want %q", tc.language, got, tc.want)
		}
	}
}
