package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	issuer   = "client"
	audience = "rewards-platform"
)

// tokenSeconds is the lifetime of a customer's token, in seconds.
var tokenSeconds = secondsOf("TOKEN_SECONDS", 1800)

func secondsOf(name string, otherwise int) int {
	if seconds, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return seconds
	}
	return otherwise
}

var (
	tokenHeader   = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
	bearerPattern = regexp.MustCompile(`^(?i:Bearer) +([!-~]+)$`)
	basicPattern  = regexp.MustCompile(`^(?i:Basic) +([A-Za-z0-9+/=]+)$`)
)

// Tokens authenticates callers by the customer's JWT, the platform's service token or the microsite's Basic
// credentials.
type Tokens struct {
	serviceToken, basicUser, basicPassword string
	jwtSecret                              []byte
}

// Caller is the authenticated caller. A customer has a UID. The platform and the microsite have none.
type Caller struct{ UID string }

type claims struct {
	Issuer   string `json:"iss"`
	Audience string `json:"aud"`
	Subject  string `json:"sub"`
	IssuedAt int64  `json:"iat"`
	Expires  int64  `json:"exp"`
	ID       string `json:"jti"`
}

// Sign signs a JWT for a customer.
func (tokens *Tokens) Sign(uid string) string {
	now := time.Now().Unix()
	said, err := json.Marshal(claims{issuer, audience, uid, now, now + int64(tokenSeconds), randomText(16)})
	if err != nil {
		panic(err)
	}
	signed := tokenHeader + "." + base64.RawURLEncoding.EncodeToString(said)
	return signed + "." + tokens.signature(signed)
}

// CustomerOrService accepts a customer's JWT or the service token.
func (tokens *Tokens) CustomerOrService(authorization string) (Caller, error) {
	token := bearer(authorization)
	if same(token, tokens.serviceToken) {
		return Caller{}, nil
	}
	return tokens.subject(token)
}

// Service accepts only the service token.
func (tokens *Tokens) Service(authorization string) (Caller, error) {
	if !same(bearer(authorization), tokens.serviceToken) {
		return Caller{}, errTokenInvalid
	}
	return Caller{}, nil
}

// Microsite accepts the Basic credentials.
func (tokens *Tokens) Microsite(authorization string) (Caller, error) {
	given := ""
	if match := basicPattern.FindStringSubmatch(authorization); match != nil {
		decoded, _ := base64.StdEncoding.DecodeString(match[1])
		given = string(decoded)
	}
	if !same(given, tokens.basicUser+":"+tokens.basicPassword) {
		return Caller{}, Refused{401, "Missing or invalid Basic credentials"}
	}
	return Caller{}, nil
}

// subject returns the customer of a valid JWT. It checks algorithm, signature, issuer, audience and expiry.
func (tokens *Tokens) subject(token string) (Caller, error) {
	parts := strings.Split(token, ".")
	// Accept only the header that we write, so that no token can choose its own algorithm, such as none.
	if len(parts) != 3 || parts[0] != tokenHeader || !same(parts[2], tokens.signature(parts[0]+"."+parts[1])) {
		return Caller{}, errTokenInvalid
	}
	var said claims
	decoded, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(decoded, &said) != nil {
		return Caller{}, errTokenInvalid
	}
	if said.Issuer != issuer || said.Audience != audience || said.Expires <= time.Now().Unix() || said.Subject == "" {
		return Caller{}, errTokenInvalid
	}
	return Caller{said.Subject}, nil
}

func (tokens *Tokens) signature(text string) string {
	mac := hmac.New(sha256.New, tokens.jwtSecret)
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// bearer returns the token of a header, or an empty string if there is none. Our secrets are never empty.
func bearer(authorization string) string {
	match := bearerPattern.FindStringSubmatch(authorization)
	if match == nil {
		return ""
	}
	return match[1]
}

// same compares secrets in constant time.
func same(given, expected string) bool {
	left, right := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(expected))
	return subtle.ConstantTimeCompare(left[:], right[:]) == 1
}

func randomText(bytes int) string {
	random := make([]byte, bytes)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	return hex.EncodeToString(random)
}
