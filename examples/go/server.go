// A client server for the rewards interface. This file contains settings, requests, replies and graceful shutdown.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const mostBytes = 64 * 1024

// NewHandler creates the server. env returns the value of a setting; the README lists the settings.
func NewHandler(env func(string) string) (http.Handler, error) {
	for _, name := range []string{"SERVICE_TOKEN", "BASIC_USER", "BASIC_PASSWORD"} {
		if env(name) == "" {
			return nil, fmt.Errorf("Set %s: the README explains it.", name)
		}
	}
	orElse := func(name, otherwise string) string {
		if value := env(name); value != "" {
			return value
		}
		return otherwise
	}
	limit, err := strconv.Atoi(orElse("OTP_LIMIT", "5"))
	if err != nil {
		return nil, fmt.Errorf("OTP_LIMIT is no number: %w", err)
	}
	projectCode := orElse("PROJECT_CODE", "DEMO01")
	jwtSecret := []byte(orElse("JWT_SECRET", randomText(32)))
	operations := Operations{
		ledger:      NewLedger(projectCode),
		tokens:      &Tokens{env("SERVICE_TOKEN"), env("BASIC_USER"), env("BASIC_PASSWORD"), jwtSecret},
		otps:        &OneTimePasswords{limit: limit, newest: map[string]*otp{}},
		gateway:     MessageGateway{env("MESSAGE_GATEWAY_URL"), env("MESSAGE_GATEWAY_AUTHORIZATION")},
		projectCode: projectCode,
	}
	return handler(operations.ByPath()), nil
}

type handler map[string]Operation

func (byPath handler) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	body, err := byPath.answer(request, writer.Header())
	if err == nil {
		write(writer, http.StatusOK, body)
		return
	}
	var refused Refused
	if !errors.As(err, &refused) {
		log.Print(err)
		refused = Refused{500, "Internal error"}
	}
	if refused.Status == 401 {
		writer.Header().Set("WWW-Authenticate", `Basic realm="client"`)
	}
	write(writer, refused.Status, envelope(refused))
}

func (byPath handler) answer(request *http.Request, headers http.Header) (any, error) {
	body, err := read(request)
	if err != nil {
		return nil, Refused{400, "Invalid request: the request is not well-formed HTTP"}
	}
	operation, known := byPath[request.URL.EscapedPath()]
	if !known {
		return nil, Refused{404, "Not found"}
	}
	if request.Method != operation.method {
		headers.Set("Allow", operation.method)
		return nil, Refused{405, "Method not allowed"}
	}
	// Check the token before the body, so that callers without one learn nothing about the rest.
	caller, err := operation.caller(authorization(request))
	if err != nil {
		return nil, err
	}
	values := Values{}
	if operation.hasBody {
		values, err = parse(body, request.Header.Get("Content-Type"))
	} else {
		for name, given := range request.URL.Query() {
			values[name] = given[0]
		}
	}
	if err != nil {
		return nil, err
	}
	return operation.run(caller, values)
}

// read returns the body. It cuts a body over the limit after mostBytes+1 bytes, so that its size is detectable. It
// drops the excess, so that the caller receives the error reply.
func read(request *http.Request) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(request.Body, mostBytes+1))
	if err == nil {
		_, err = io.Copy(io.Discard, request.Body)
	}
	return body, err
}

func parse(body []byte, contentType string) (Values, error) {
	if len(body) > mostBytes {
		return nil, Refused{413, "Request body is larger than 64 KiB"}
	}
	if len(body) == 0 && contentType == "" {
		return nil, errMandatory
	}
	if mediaType, _, err := mime.ParseMediaType(contentType); err != nil || mediaType != "application/json" {
		return nil, Refused{415, "Content-Type must be application/json"}
	}
	if len(body) == 0 {
		return nil, errMandatory
	}
	var value any
	if json.Unmarshal(body, &value) != nil {
		return nil, Refused{400, "Invalid request: the body is not well-formed JSON"}
	}
	values, is := value.(map[string]any)
	if !is {
		return nil, errMandatory
	}
	return values, nil
}

func authorization(request *http.Request) string {
	values := request.Header.Values("Authorization")
	// With two Authorization headers, the intended one is ambiguous.
	if len(values) != 1 {
		return ""
	}
	return values[0]
}

func envelope(refused Refused) any {
	name := http.StatusText(refused.Status)
	kind := strings.ReplaceAll(name, " ", "")
	switch refused.Status {
	case 413:
		name, kind = "Payload Too Large", "PayloadTooLarge"
	case 422:
		name = "Unprocessable entity"
	}
	return map[string]any{
		"success": false,
		"status":  refused.Status,
		"data": map[string]any{
			"name": name, "message": refused.Message, "code": 0, "status": refused.Status, "type": kind + "HttpException",
		},
	}
}

func write(writer http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	writer.Header().Set("Content-Type", "application/json")
	writer.Header().Set("Content-Length", strconv.Itoa(len(text)))
	writer.Header().Set("Cache-Control", "no-store")
	writer.WriteHeader(status)
	if _, err := writer.Write(text); err != nil {
		log.Printf("a caller did not wait for the reply: %v", err)
	}
}

func run() error {
	handler, err := NewHandler(os.Getenv)
	if err != nil {
		return err
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return err
	}
	server := http.Server{Handler: handler, ReadTimeout: 15 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 * 1024}
	stop, forget := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer forget()
	ended := make(chan error, 1)
	go func() {
		<-stop.Done()
		// Finish calls in progress, and close idle connections.
		within, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		ended <- server.Shutdown(within)
	}()
	fmt.Printf("listening on http://%s\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-ended
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
