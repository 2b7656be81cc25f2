package rewardssandbox

import (
	"encoding/base64"
	"net/http"
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(Run(m)) }

// signIn signs in at the reference client with a one-time password from the outbox. It returns the customer's token.
func signIn(t *testing.T, w *Workspace, uid string) string {
	t.Helper()
	pair := w.Credentials.Basic.Username + ":" + w.Credentials.Basic.Password
	basic := http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(pair))}}
	var sent struct {
		ReferenceID string `json:"reference_id"`
	}
	Accepted(t, "POST", w.URLs["client"]+"/api/v1/auth/generate-otp", map[string]string{"customer_id": uid}, basic).Into(t, &sent)
	var outbox struct{ Items []struct{ OTP string } }
	w.Control("GET", "/messages?uid="+uid, nil).Into(t, &outbox)
	var signedIn struct{ Token string }
	code := map[string]string{"customer_id": uid, "otp": outbox.Items[0].OTP, "reference_id": sent.ReferenceID}
	Accepted(t, "POST", w.URLs["client"]+"/api/v1/auth/verify-otp", code, basic).Into(t, &signedIn)
	company := http.Header{"Authorization": {w.CompanyToken()}}
	credentials := map[string]string{"uid": uid, "token": signedIn.Token}
	Accepted(t, "POST", w.URLs["rewards"]+"/v1/customer/auth", credentials, company).Into(t, &signedIn)
	return signedIn.Token
}

func order(t *testing.T, w *Workspace, uid, sku string) {
	t.Helper()
	customer := http.Header{"Authorization": {signIn(t, w, uid)}}
	line := map[string]any{"sku": sku, "quantity": 1}
	body := map[string]any{"uid": uid, "line_items": []any{line}}
	answer := Call(t, "POST", w.URLs["rewards"]+"/v1/partner/redeemptiononskus", body, customer)
	if answer.Status != http.StatusOK {
		t.Fatalf("the order returned %d: %s", answer.Status, answer.Body)
	}
}

func TestADeliveredVoucherCostsPoints(t *testing.T) {
	t.Parallel()
	w := NewWorkspace(t)
	before := w.Balance("CUST0001")
	order(t, w, "CUST0001", "EGV-SPICE-500")
	w.Advance(2)
	if after := w.Balance("CUST0001"); after >= before {
		t.Errorf("%d points before, %d after", before, after)
	}
	w.AssertContractsKept()
}

func TestARejectedVoucherGivesThePointsBack(t *testing.T) {
	t.Parallel()
	w := NewWorkspace(t)
	before := w.Balance("CUST0001")
	w.Control("PUT", "/vendor-outcomes/EGV-SPICE-500", map[string]string{"outcome": "reject", "reason": "Not sold here"})
	order(t, w, "CUST0001", "EGV-SPICE-500")
	w.Advance(2)
	if after := w.Balance("CUST0001"); after != before {
		t.Errorf("%d points before, %d after", before, after)
	}
}
