package team

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/aurora-sidecar/aurora/engine/team"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/aurora-sidecar/aurora/memory/postgres"
)

// Results are what the commands print with --json.
var Results = map[string]any{"team status": status{}, "team join": status{}, "team leave": left{}, "team migrate": migrated{}}

// A status is how the person stands with a team.
type status struct {
	Joined     bool   `json:"joined"`
	URL        string `json:"url,omitempty"`
	PasswordIn string `json:"passwordIn,omitempty"` // keyring or file; else the environment or ~/.pgpass
	Team       string `json:"team,omitempty"`
	Member     string `json:"member,omitempty"`
	Reached    string `json:"reached,omitempty"` // when all was last the same here and there
	Error      string `json:"error,omitempty"`   // why it is not
	Records    int    `json:"records"`
	Own        int    `json:"own"`
	Waiting    int    `json:"waiting"`
	Refused    int    `json:"refused,omitempty"`
	Reason     string `json:"reason,omitempty"` // of a refusal, or of what the server sent and was left out
	Conflicts  int    `json:"conflicts,omitempty"`
}

type left struct {
	Deleted int      `json:"deleted"` // records of others
	Kept    int      `json:"kept"`    // one's own
	Copies  []string `json:"copies,omitempty"`
}

type migrated struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Commands are those of aurora team.
func Commands(c *app.App) *cobra.Command {
	cmd := statusCommand(c, "team")
	cmd.Short = "Show the team with which records are shared, join one, or leave it"
	cmd.Long = `Share what is remembered with --team with those who work on the same repository, through a PostgreSQL server of the team
(docs/team.md says how to run one). The records are copied into your own memory, which is all that editors read; what you write
waits there while the server can't be reached. Nothing but records of the team leaves the machine. "aurora team status" is the same.`
	cmd.Args = app.NoSuchCommand
	cmd.AddCommand(joinCommand(c), app.Same(statusCommand(c, "status"), "team"), leaveCommand(c), migrateCommand(c))
	return cmd
}

func joinCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "join <url>",
		Short: "Join a team: postgres://role@host/database",
		Long: `Join the team that has its memory in a database. Who runs it makes the role. The password is asked for, unless it is in
~/.pgpass or in the environment variable ` + setup.PasswordVariable + `, where editors must find it, too; one that was asked for is kept in the
system's keyring, or where there is none in ~/.aurora/team.json with mode 0600. A server on another machine has to have a
certificate that this one trusts; sslrootcert=<file> in the address names another authority.`,
		Example: "  aurora team join postgres://alice@db.example.org/team",
		Args:    app.UsageArgs(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return join(cmd.Context(), c, args[0]) },
	}
}

func join(ctx context.Context, c *app.App, url string) error {
	if err := (postgres.Address{URL: url}).Check(); err != nil {
		return app.UsageError("Try: aurora team join postgres://role@host/database", "%w", err)
	}
	s, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer s.Close()
	store := s.Parts.TeamStore()
	if store == nil {
		return app.Failure("aurora status says why.", errors.New("memory can't be written, so that nothing can be shared"))
	}
	account, joined, _ := setup.ReadTeam(s.Parts.Home)
	if joined && account.URL != "" && account.URL != url {
		return app.Failure("Leave it first: aurora team leave", fmt.Errorf("you are in the team at %s", display.Clean(account.URL)))
	}
	address, typed, err := greet(ctx, c, url)
	if err != nil {
		return app.Failure("docs/team.md says what it needs.", errors.New(postgres.Explain(err)))
	}
	if replica, err := store.TeamProperty(ctx, team.PropertyReplica); err != nil {
		return err
	} else if replica == "" {
		if err := store.SetTeamProperty(ctx, team.PropertyReplica, uuid.NewString()); err != nil {
			return err
		}
	}
	if !typed {
		address.Password = ""
	}
	if account, err = setup.KeepTeam(s.Parts.Home, url, address.Password); err != nil {
		return err
	}
	_, err = s.Parts.TeamSyncer().Once(ctx)
	st, statusErr := statusOf(ctx, s, account)
	if err := errors.Join(ctx.Err(), statusErr); err != nil {
		return err
	}
	if st.Error == "" && err != nil {
		st.Error = postgres.Explain(err)
	}
	return printStatus(c, st)
}

// greet connects for the first time, and asks the person for a password when the server wants one that is nowhere.
func greet(ctx context.Context, c *app.App, url string) (a postgres.Address, typed bool, err error) {
	a = postgres.Address{URL: url, Password: os.Getenv(setup.PasswordVariable)}
	_, err = hello(ctx, a)
	if err == nil || !postgres.NeedsPassword(err) || a.Password != "" || !c.AsksPerson() || !c.InTTY {
		return a, false, err
	}
	file, is := c.In.(*os.File)
	if !is {
		return a, false, err
	}
	fmt.Fprintf(c.Err, "Password of %s: ", display.Clean(url))
	password, readErr := term.ReadPassword(file.Fd())
	fmt.Fprintln(c.Err)
	if readErr != nil {
		return a, false, readErr
	}
	a.Password = strings.TrimRight(string(password), "\r\n")
	_, err = hello(ctx, a)
	return a, true, err
}

func hello(ctx context.Context, a postgres.Address) (postgres.Welcome, error) {
	client, err := postgres.Dial(ctx, a)
	if err != nil {
		return postgres.Welcome{}, err
	}
	defer client.Close()
	return client.Hello(ctx, "")
}

// open opens the project, when the folder is in one, else memory alone.
func open(ctx context.Context, c *app.App) (*workspace.Session, error) {
	if _, err := workspace.ProjectRoot(c, "."); err != nil {
		return workspace.OpenMemorySession(ctx, c)
	}
	return workspace.OpenProject(ctx, c)
}

func statusCommand(c *app.App, name string) *cobra.Command {
	return &cobra.Command{
		Use:     name,
		Short:   "Show the team, whether its server is reached, and what waits to be sent",
		Example: "  aurora team status",
		Args:    app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := workspace.OpenMemorySession(cmd.Context(), c)
			if err != nil {
				return err
			}
			defer s.Close()
			account, joined, err := setup.ReadTeam(s.Parts.Home)
			if err != nil {
				return app.Failure("", err)
			}
			if !joined {
				return printStatus(c, status{})
			}
			st, err := statusOf(cmd.Context(), s, account)
			if err != nil {
				return err
			}
			return printStatus(c, st)
		},
	}
}

// statusOf tells what the processes of the person have noted, and asks the server whether it answers now.
func statusOf(ctx context.Context, s *workspace.Session, account setup.TeamAccount) (status, error) {
	st := status{Joined: true, URL: account.URL, PasswordIn: account.Keeps}
	store := s.Parts.TeamStore()
	if store == nil {
		st.Error = "memory can't be written, so that nothing can be shared"
		return st, nil
	}
	sum, err := store.TeamSummary(ctx)
	if err != nil {
		return st, err
	}
	st.Records, st.Own, st.Waiting, st.Refused, st.Reason, st.Conflicts = sum.Records, sum.Own, sum.Waiting, sum.Refused, sum.Reason, sum.Conflicts
	noted, err := team.ReadState(ctx, store)
	if err != nil {
		return st, err
	}
	st.Team, st.Member, st.Error, st.Reason = noted.Team, noted.Member, noted.Error, cmp.Or(st.Reason, noted.Why)
	if !noted.Reached.IsZero() {
		st.Reached = noted.Reached.Format(time.RFC3339)
	}
	address, err := account.Address()
	if err == nil {
		var w postgres.Welcome
		if w, err = hello(ctx, address); err == nil {
			st.Team, st.Member = w.Team, w.Member
		}
	}
	if err != nil {
		st.Error = postgres.Explain(err)
	}
	return st, ctx.Err()
}

func printStatus(c *app.App, st status) error {
	if c.JSON {
		return c.PrintJSON(st)
	}
	if !st.Joined {
		fmt.Fprintln(c.Out, "You are in no team. aurora team join postgres://role@host/database joins one.")
		return nil
	}
	line := func(label, text string) { c.Hanging(fmt.Sprintf("%-10s%s", label+":", display.Clean(text)), 10) }
	if st.Team != "" {
		line("Team", st.Team+", as "+st.Member)
	}
	password := "its password is in ~/.pgpass or " + setup.PasswordVariable
	switch st.PasswordIn {
	case setup.PasswordInKeyring:
		password = "its password is in the system's keyring"
	case setup.PasswordInFile:
		password = "its password is in ~/.aurora/team.json, which only you may read"
	}
	line("Server", st.URL+"; "+password)
	reached := "never the same as here yet"
	if at, err := time.Parse(time.RFC3339, st.Reached); err == nil {
		reached = "last the same as here " + display.Ago(at, c.Now())
	}
	if st.Error != "" {
		reached += "; not reached: " + st.Error
	}
	line("State", reached)
	counts := fmt.Sprintf("%s, %d of them yours; %d wait to be sent", display.Count(st.Records, "record"), st.Own, st.Waiting)
	if st.Conflicts > 0 {
		counts += fmt.Sprintf("; %d in conflict, because a teammate changed the same at the same time: aurora mem audit lists both texts, aurora mem edit --accept <id> takes one for right", st.Conflicts)
	}
	line("Records", counts)
	if st.Refused > 0 {
		line("Refused", fmt.Sprintf("%d, such as: %s", st.Refused, st.Reason))
	} else if st.Reason != "" {
		line("Left out", st.Reason)
	}
	return nil
}

func leaveCommand(c *app.App) *cobra.Command {
	force := false
	cmd := &cobra.Command{
		Use:   "leave",
		Short: "Leave the team: its records go, your own stay as records of their projects",
		Long: `Leave the team. What others wrote is deleted here for good, with its former texts, and the backups of memory with it; a new backup
is made. Your own records stay, as records of their projects, and on the server, until you or somebody else deletes them there.
The address and the password are removed.`,
		Args: app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return leave(cmd.Context(), c, force) },
	}
	cmd.Flags().BoolVar(&force, "force", false, "also when changes were not sent, which the team then never sees")
	return cmd
}

func leave(ctx context.Context, c *app.App, force bool) error {
	s, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer s.Close()
	account, joined, readErr := setup.ReadTeam(s.Parts.Home)
	store := s.Parts.TeamStore()
	if store == nil {
		return app.Failure("aurora status says why.", errors.New("memory can't be written; nothing was done"))
	}
	sum, err := store.TeamSummary(ctx)
	if err != nil {
		return err
	}
	if !joined && sum.Records == 0 {
		return app.Failure("", errors.New("you are in no team"))
	}
	if sum.Waiting > 0 && readErr == nil && joined {
		_, _ = s.Parts.TeamSyncer().Once(ctx) // what still waits says so
		if sum, err = store.TeamSummary(ctx); err != nil {
			return err
		}
	}
	if sum.Waiting > 0 && !force {
		return app.Failure("aurora team status says why; aurora team leave --force leaves all the same.",
			fmt.Errorf("not sent yet: %s, which the team would never see", display.Count(sum.Waiting, "change")))
	}
	if err := setup.DropTeam(s.Parts.Home, account); err != nil {
		return err
	}
	var done left
	if done.Deleted, done.Kept, err = store.TeamLeave(ctx); err != nil {
		return err
	}
	if err := s.Parts.Memory.Compact(ctx); err != nil {
		return err
	}
	if done.Copies, err = s.Parts.Memory.Leftovers(ctx); err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(done)
	}
	fmt.Fprintf(c.Out, "Left the team: %s of others deleted, %d of yours kept.\n", display.Count(done.Deleted, "record"), done.Kept)
	for _, path := range done.Copies {
		c.Wrapped("", path+" may still hold some; AURORA does not delete it.")
	}
	return nil
}

func migrateCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "migrate <url>",
		Short: "For who runs the server: make the tables in a database, or bring them to this version",
		Long: `Make what a team's memory needs in a database, or bring it to the schema of this AURORA, by a role that may create roles and
schemas. Each step is done whole or not at all; clients may stay connected. The password is looked for in ~/.pgpass and in ` + setup.PasswordVariable + `.`,
		Example: "  aurora team migrate postgres://postgres@localhost/team",
		Args:    app.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			a := postgres.Address{URL: args[0], Password: os.Getenv(setup.PasswordVariable)}
			if err := a.Check(); err != nil {
				return app.UsageError("Try: aurora team migrate postgres://postgres@localhost/team", "%w", err)
			}
			from, to, err := postgres.Migrate(cmd.Context(), a, "AURORA "+app.ReadBuild().Version)
			switch {
			case err != nil:
				return app.Failure("docs/team.md says what it needs.", errors.New(postgres.Explain(err)))
			case c.JSON:
				return c.PrintJSON(migrated{from, to})
			case from == to:
				fmt.Fprintf(c.Out, "The database has schema %d already.\n", to)
			default:
				fmt.Fprintf(c.Out, "The database has schema %d now; it had %d.\n", to, from)
			}
			return nil
		},
	}
}

// Check connects to the team's server and says what is wrong. joined is false for somebody in no team.
func Check(ctx context.Context, home string) (detail string, joined bool, err error) {
	account, joined, err := setup.ReadTeam(home)
	if err != nil || !joined {
		return "", joined, err
	}
	address, err := account.Address()
	if err == nil {
		_, err = hello(ctx, address)
	}
	if err != nil {
		return account.URL, true, errors.New(postgres.Explain(err))
	}
	return account.URL, true, nil
}
