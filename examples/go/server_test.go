package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
)

var settings = map[string]string{"SERVICE_TOKEN": "service", "BASIC_USER": "user", "BASIC_PASSWORD": "password"}

type reply struct {
	Status int
	Points Points
	Data   struct{ Name, Message string }
}

func start(t *testing.T) *httptest.Server {
	t.Helper()
	handler, err := NewHandler(func(name string) string { return settings[name] })
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func call(t *testing.T, server *httptest.Server, path, authorization string, body any) reply {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest("POST", server.URL+path, strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", authorization)
	request.Header.Set("Content-Type", "application/json")
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var said reply
	if err := json.Unmarshal(got, &said); err != nil {
		t.Fatal(err)
	}
	said.Status = answer.StatusCode
	return said
}

func balance(t *testing.T, server *httptest.Server) int64 {
	t.Helper()
	return call(t, server, "/getProfileAndPoints?uid=CUST0001", "Bearer service", nil).Points.Balance
}

func save(t *testing.T, server *httptest.Server, redeemCode string, points int) reply {
	t.Helper()
	total := strconv.Itoa(points)
	record := map[string]string{
		"uid": "CUST0001", "scheme": "DEMO01", "redeemCode": redeemCode, "redeemPoints": total, "shippingAddress": "",
		"processingFee": "0", "productCode": "EGV-1", "productName": "Voucher", "quantity": "1", "redeemStatus": "pending",
		"email": "", "mobileNo": "", "totalpoints": total, "totalPointWithProcessingFee": total, "tdsSingleItem": "0",
	}
	return call(t, server, "/saveRedeemDetails", "Bearer service", record)
}

func report(t *testing.T, server *httptest.Server, redeemCode, status string) reply {
	t.Helper()
	return call(t, server, "/updateRedeemStatus", "Bearer service", map[string]string{
		"redeemCode": redeemCode, "status": status, "orderStatus": status, "remark": "", "projectCode": "DEMO01",
	})
}

func expect[T comparable](t *testing.T, got, wanted T) {
	t.Helper()
	if got != wanted {
		t.Errorf("got %v, wanted %v", got, wanted)
	}
}

func TestPointsAreCreditedOnceForEachTransactionID(t *testing.T) {
	server := start(t)
	event := map[string]string{
		"uid": "CUST0001", "eventType": "DIGITAL_PAYMENT", "transactionId": "T1", "paymentAmount": "10", "points": "7",
	}
	expect(t, call(t, server, "/creditPoints", "Bearer service", event).Status, 200)
	expect(t, call(t, server, "/creditPoints", "Bearer service", event).Status, 200)
	event["points"] = "8"
	expect(t, call(t, server, "/creditPoints", "Bearer service", event).Status, 422)
	expect(t, balance(t, server), 10_007)
}

func TestADeductionIsTakenOnceAndGivenBackOnceOnRejected(t *testing.T) {
	server := start(t)
	expect(t, save(t, server, "R1", 500).Status, 200)
	expect(t, save(t, server, "R1", 500).Status, 200)
	expect(t, balance(t, server), 9_500)
	expect(t, report(t, server, "R1", "Rejected").Status, 200)
	expect(t, report(t, server, "R1", "Rejected").Status, 200)
	expect(t, balance(t, server), 10_000)
	expect(t, report(t, server, "R1", "Delivered").Data.Message, "Order already Rejected.")
}

func TestADeductionThatComesAfterItsRejectionIsRefused(t *testing.T) {
	server := start(t)
	expect(t, report(t, server, "R2", "Rejected").Data.Message, "Unknown redeemCode.")
	expect(t, save(t, server, "R2", 1).Data.Message, "Order already Rejected.")
	expect(t, balance(t, server), 10_000)
}

func TestDeductionsAtTheSameTimeNeverGoBelowZero(t *testing.T) {
	server := start(t)
	var calls sync.WaitGroup
	successes := make(chan bool, 20)
	for number := 0; number < 20; number++ {
		calls.Add(1)
		go func(code string) {
			defer calls.Done()
			if save(t, server, code, 1_000).Status == 200 {
				successes <- true
			}
		}("R" + strconv.Itoa(number))
	}
	calls.Wait()
	expect(t, len(successes), 10)
	expect(t, balance(t, server), 0)
}

func TestATokenThatDoesNotHoldIs422TokenInvalid(t *testing.T) {
	server := start(t)
	for _, authorization := range []string{"", "Bearer x", "Bearer a.b.c"} {
		got := call(t, server, "/getProfileAndPoints?uid=CUST0001", authorization, nil)
		expect(t, got.Status, 422)
		expect(t, got.Data.Message, "Token Invalid")
	}
}

func TestAOneTimePasswordThatNobodyWasSentDoesNotSignIn(t *testing.T) {
	server := start(t)
	body := map[string]string{"customer_id": "CUST0001", "otp": "000000", "reference_id": "x"}
	expect(t, call(t, server, "/api/v1/auth/verify-otp", "Basic dXNlcjpwYXNzd29yZA==", body).Status, 422)
	expect(t, call(t, server, "/api/v1/auth/verify-otp", "Basic x", body).Status, 401)
}
