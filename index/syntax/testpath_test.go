package syntax

import "testing"

// TestTestRoleOf has the layouts of the ecosystems, and names that only look alike.
func TestTestRoleOf(t *testing.T) {
	for role, paths := range map[TestRole][]string{
		HoldsTests: {
			"cart/cart_test.go", "tests/test_app.py", "app/tests.py", "app_test.py", "conftest.py", "src/cart.test.ts", "src/cart.spec.tsx", "src/__tests__/cart.js",
			"e2e/login.ts", "cypress/e2e/login.js", "src/login.cy.ts", "test/app.e2e-spec.ts", "tests/parse.rs", "src/tests.rs", "src/parser/tests/mod.rs",
			"src/test/java/shop/Cart.java", "src/main/java/shop/CartTest.java", "src/it/TestCart.java", "src/CartIT.java", "app/src/androidTest/java/Cart.kt",
			"okio/src/jvmTest/kotlin/Buffer.kt", "src/commonTest/kotlin/Cart.kt", "core/CartSuite.scala", "test/Shop.Tests/Cart.cs", "Shop.Tests/Cart.cs", "Shop.Specs/Retry.cs",
			"Shop.IntegrationTests/Cart.cs", "src/CartTests.cs", "spec/cart_spec.rb", "test/cart.rb", "tests/CartTest.php", "Tests/CartTests/Cart.swift", "test/cart_test.exs", "spec/cart_spec.lua",
			"test/run.bats", "integration-tests/run.js", "integration_tests/run.rs", "tests/unit/cart.c", "cart-test.cc", "t/cart.pl", "spec/x_helper.rb", "ATest.kt", "lib/test/cart_test.dart", "test/CartSpec.hs",
		},
		TestSupport: {
			"tests/helpers.py", "testdata/cart.go", "internal/testutil/open.go", "test/open.go", "testing/fake.go", "packages/test-utils/index.ts", "test_utils/open.rs",
			"src/fixtures/cart.ts", "src/__mocks__/cart.js", "benches/parse.rs", "bench/Shop.Benchmarks/Cart.cs", "Shop.Benchmarks/Cart.cs", "Shop.TestUtils/Clock.cs",
			"parse_benchmark.cc", "src/parse.bench.ts", "okio/jvm/jmh/src/Bench.java", "tests-data/a.js",
		},
		NoTest: {
			"cart.go", "src/latest/a.js", "contest/a.py", "src/attest.rs", "Latest.java", "src/Testament.java", "src/Request.cs", "cart/testify.go", "Test.go", "fastest.py",
			"src/unittest.cfg/a.c", "protest/a.rb", "src/inspec/a.rb", "GreatTestament.php", "src/AUDIT.java", "packages/test-runner/src/run.ts", "openapi-spec/a.js", "src/testimonial.tsx", "test.go",
			"src/test.ts", "lib/t/a.rb",
		},
	} {
		for _, file := range paths {
			if got := TestRoleOf(file); got != role {
				t.Errorf("%s: %d, want %d", file, got, role)
			}
		}
	}
}
