// Package rewardssandbox runs a rewards sandbox for tests: one process per test binary, and one workspace per test.
//
// The command in REWARDS_SANDBOX_COMMAND starts the sandbox ("rewards-sandbox" by default). To use a running sandbox instead, set
// REWARDS_SANDBOX_URL to its control API, such as http://127.0.0.1:4010/sandbox/v1. It needs only the standard library.
package rewardssandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Workspace is the workspace of one test, with its own customers, catalogue, ledger, clock and credentials.
type Workspace struct {
	ID          string            `json:"id"`
	AdminToken  string            `json:"admin_token"`
	URLs        map[string]string `json:"urls"`
	Credentials struct {
		CompanySecret string `json:"company_secret"`
		ServiceToken  string `json:"service_token"`
		Basic         struct {
			Username string `json:"username"`
			Password string `json:"password"`
		} `json:"basic"`
	} `json:"credentials"`
	t testing.TB
}

// Answer is the response to a call.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Into decodes the JSON body into target. It fails the test if the body does not match.
func (a Answer) Into(t testing.TB, target any) {
	t.Helper()
	if err := json.Unmarshal(a.Body, target); err != nil {
		t.Fatalf("%d %s is no such JSON: %v", a.Status, a.Body, err)
	}
}

var client = &http.Client{Timeout: 90 * time.Second}

// Call makes a call, with body as JSON unless it is nil. It returns responses with an error status too, and fails the test if
// there is no response.
func Call(t testing.TB, method, url string, body any, header http.Header) Answer {
	t.Helper()
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, url, sent)
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		request.Header = header.Clone()
	}
	request.Header.Set("Content-Type", "application/json")
	reply, err := client.Do(request)
	if err != nil {
		t.Fatalf("%s %s was not answered: %v", method, url, err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatalf("%s %s broke off: %v", method, url, err)
	}
	return Answer{reply.StatusCode, reply.Header, text}
}

// Accepted makes a call, and fails the test if it is refused.
func Accepted(t testing.TB, method, url string, body any, header http.Header) Answer {
	t.Helper()
	answer := Call(t, method, url, body, header)
	if answer.Status >= 400 {
		t.Fatalf("%s %s returned %d: %s", method, url, answer.Status, answer.Body)
	}
	return answer
}

// NewWorkspace creates a workspace with a frozen clock. At the end of the test, its ledgers must agree, and it is deleted.
func NewWorkspace(t testing.TB) *Workspace {
	t.Helper()
	url, err := started()
	if err != nil {
		t.Fatal(err)
	}
	answer := Call(t, "POST", url+"/workspaces", map[string]string{"clock": "frozen"}, nil)
	if answer.Status != http.StatusCreated {
		t.Fatalf("no workspace: %d %s", answer.Status, answer.Body)
	}
	made := &Workspace{t: t}
	answer.Into(t, made)
	t.Cleanup(func() {
		if !t.Failed() {
			made.AssertBooksEven()
		}
		made.Control("DELETE", "/workspaces/"+made.ID, nil)
	})
	return made
}

// Control calls the control API, and fails the test if the call is refused.
func (w *Workspace) Control(method, path string, body any) Answer {
	w.t.Helper()
	header := http.Header{"Authorization": {"Bearer " + w.AdminToken}}
	return Accepted(w.t, method, w.URLs["sandbox"]+path, body, header)
}

// CompanyToken returns the token that your server sends to the platform.
func (w *Workspace) CompanyToken() string {
	w.t.Helper()
	var signedIn struct{ Token string }
	secret := map[string]string{"secret": w.Credentials.CompanySecret}
	Accepted(w.t, "POST", w.URLs["rewards"]+"/v1/company/auth", secret, nil).Into(w.t, &signedIn)
	return signedIn.Token
}

// Order orders one item with the company token, as your server does. It fails the test if the order is refused.
func (w *Workspace) Order(uid, sku string) Answer {
	w.t.Helper()
	company := http.Header{"Authorization": {w.CompanyToken()}}
	body := map[string]any{"uid": uid, "line_items": []any{map[string]any{"sku": sku, "quantity": 1}}}
	return Accepted(w.t, "POST", w.URLs["rewards"]+"/v1/partner/redeemptiononskus", body, company)
}

// PointAt makes the platform call your own client server instead of the reference client.
func (w *Workspace) PointAt(clientURL, serviceToken string) {
	w.t.Helper()
	settings := map[string]string{"client_url": clientURL, "client_token": serviceToken}
	w.Control("PATCH", "/workspace", map[string]any{"settings": settings})
}

// Advance advances the clock, and runs everything that becomes due: deliveries, reversals, credits.
func (w *Workspace) Advance(seconds int) {
	w.t.Helper()
	w.Control("POST", "/clock/advance", map[string]int{"seconds": seconds})
}

// Balance returns a customer's balance in the client's ledger.
func (w *Workspace) Balance(uid string) int64 {
	w.t.Helper()
	var ledger struct{ Balance int64 }
	w.Control("GET", "/ledger/"+uid, nil).Into(w.t, &ledger)
	return ledger.Balance
}

// AssertBooksEven fails the test if the points of platform and client differ, or a delivery is pending.
func (w *Workspace) AssertBooksEven() {
	w.t.Helper()
	var differences struct {
		Items []any
		Next  *string
	}
	answer := w.Control("GET", "/reconciliation", nil)
	answer.Into(w.t, &differences)
	if len(differences.Items) > 0 || differences.Next != nil {
		w.t.Errorf("the ledgers differ: %s", answer.Body)
	}
}

// AssertContractsKept fails the test if either side violated the interface in it.
func (w *Workspace) AssertContractsKept() {
	w.t.Helper()
	var found struct {
		Items     []any
		CheckedTo int64 `json:"checked_to"`
		Newest    int64
	}
	answer := w.Control("GET", "/findings?severity=error&wait=60", nil)
	answer.Into(w.t, &found)
	if len(found.Items) > 0 {
		w.t.Errorf("calls violate the interface: %s", answer.Body)
	} else if found.CheckedTo < found.Newest {
		w.t.Error("calls were not checked within 60 s")
	}
}

var (
	once    sync.Once
	address string
	failed  error
	process *exec.Cmd
)

// started returns the control API of the running sandbox, or starts one.
func started() (string, error) {
	once.Do(func() {
		if address = os.Getenv("REWARDS_SANDBOX_URL"); address == "" {
			address, failed = start()
		}
	})
	return address, failed
}

func start() (string, error) {
	command := strings.Fields(os.Getenv("REWARDS_SANDBOX_COMMAND"))
	if len(command) == 0 {
		command = []string{"rewards-sandbox"}
	}
	flags := []string{"--port", "0", "--json", "--no-docs", "--workspaces", "2000", "--store", "memory", "--exit-with-parent"}
	process = exec.Command(command[0], append(command[1:], flags...)...)
	process.Stderr = os.Stderr
	// The standard input of the sandbox closes when this process ends, however it ends.
	if _, err := process.StdinPipe(); err != nil {
		return "", err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := process.Start(); err != nil {
		return "", fmt.Errorf("the sandbox did not start: %w", err)
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		return "", fmt.Errorf("the sandbox ended before it was ready: %w", process.Wait())
	}
	var ready struct{ URLs map[string]string }
	if err := json.Unmarshal(line, &ready); err != nil {
		return "", err
	}
	return ready.URLs["sandbox"], nil
}

// Run runs the tests of a package, and stops the sandbox that they started. Call it in TestMain.
func Run(m *testing.M) int {
	code := m.Run()
	if process != nil && process.Process != nil {
		_ = process.Process.Signal(os.Interrupt)
		_ = process.Wait()
	}
	return code
}
