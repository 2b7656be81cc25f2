package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"sync"
	"time"
)

const (
	otpSeconds = 300
	mostTries  = 5
	otpWindow  = 10 * time.Minute
)

type otp struct {
	code, reference string
	until           time.Time
	tries           int
	used            bool
	// Times at which codes were sent to the customer since the last sign-in.
	sent []time.Time
}

// OneTimePasswords creates and verifies one-time passwords.
type OneTimePasswords struct {
	// Maximum number of codes sent to a customer in ten minutes since the last sign-in; 0 means no limit.
	limit int
	lock  sync.Mutex
	// The newest code of each customer. Older codes are invalid.
	newest map[string]*otp
}

// Make creates a code that replaces the customer's previous one. It returns the code and its reference.
func (otps *OneTimePasswords) Make(uid string) (string, string, error) {
	now := time.Now()
	otps.lock.Lock()
	defer otps.lock.Unlock()
	var sent []time.Time
	if before, known := otps.newest[uid]; known {
		for _, at := range before.sent {
			if now.Sub(at) < otpWindow {
				sent = append(sent, at)
			}
		}
	}
	if otps.limit > 0 && len(sent) >= otps.limit {
		return "", "", Refused{422, "Too many OTP requests. Try again later."}
	}
	number, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return "", "", err
	}
	if otps.limit > 0 {
		sent = append(sent, now)
	}
	made := &otp{code: fmt.Sprintf("%06d", number), reference: randomText(16), sent: sent}
	made.until = now.Add(otpSeconds * time.Second)
	otps.newest[uid] = made
	return made.code, made.reference, nil
}

// Use verifies and consumes a code. It refuses every code except the customer's newest with this reference.
func (otps *OneTimePasswords) Use(uid, code, reference string) error {
	otps.lock.Lock()
	defer otps.lock.Unlock()
	newest, known := otps.newest[uid]
	if !known || newest.reference != reference {
		return Refused{422, "Unknown reference_id."}
	}
	if newest.used {
		return Refused{422, "OTP has already been used."}
	}
	if newest.tries >= mostTries {
		return Refused{422, "Too many attempts for this OTP. Request a new one."}
	}
	newest.tries++
	if !time.Now().Before(newest.until) {
		return Refused{422, "OTP has expired."}
	}
	if !same(code, newest.code) {
		return Refused{422, "Incorrect OTP."}
	}
	newest.used = true
	newest.sent = nil
	return nil
}

// MessageGateway sends SMS through the gateway at url, or prints them if there is no URL.
type MessageGateway struct{ url, authorization string }

// Message is the request body that the gateway receives.
type Message struct {
	Channel     string `json:"channel"`
	To          string `json:"to"`
	Text        string `json:"text"`
	CustomerID  string `json:"customer_id"`
	ReferenceID string `json:"reference_id"`
}

var gatewayClient = http.Client{Timeout: 5 * time.Second}

// Send sends a message as an SMS.
func (gateway MessageGateway) Send(message Message) error {
	message.Channel = "sms"
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if gateway.url == "" {
		fmt.Printf("message %s\n", body)
		return nil
	}
	request, err := http.NewRequest(http.MethodPost, gateway.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if gateway.authorization != "" {
		request.Header.Set("Authorization", gateway.authorization)
	}
	reply, err := gatewayClient.Do(request)
	if err == nil {
		defer reply.Body.Close()
		if reply.StatusCode/100 == 2 {
			return nil
		}
		err = fmt.Errorf("it answered %s", reply.Status)
	}
	log.Printf("The message gateway did not take a message: %v", err)
	return Refused{503, "Temporarily unavailable"}
}
