package parent

import (
	"context"
	"os/exec"
	"testing"
)

// start runs a process that ends when its input does.
func start(t *testing.T) (pid int, end func()) {
	t.Helper()
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skip("no cat here:", err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	return cmd.Process.Pid, func() { _ = in.Close() }
}

func TestWaitSeesTheEnd(t *testing.T) {
	pid, end := start(t)
	result := make(chan bool, 1)
	go func() { result <- Wait(context.Background(), pid) }()
	select {
	case <-result:
		t.Fatal("Wait returned while the process runs")
	default:
	}
	end() // its status is not collected yet: it stays as a zombie
	if !<-result {
		t.Error("Wait did not see the end")
	}
}

func TestWaitStops(t *testing.T) {
	pid, _ := start(t)
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan bool, 1)
	go func() { result <- Wait(ctx, pid) }()
	cancel()
	if <-result {
		t.Error("Wait says that a running process has ended")
	}
}

func TestGoneBefore(t *testing.T) {
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Skip("no true here:", err)
	}
	if !Wait(context.Background(), cmd.Process.Pid) {
		t.Error("a process that is gone counts as running")
	}
}

func TestAlive(t *testing.T) {
	pid, _ := start(t)
	if !alive(pid) {
		t.Error("a running process counts as gone")
	}
}
