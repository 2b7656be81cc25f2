/**
 * Calls a sandbox from a separate process, so that measurements exclude the caller. Usage: `node load-process.ts <options as JSON>` with an
 * IPC channel. On the message `stop`, the process ends once every call has a reply. It also ends when the sandbox does.
 */
import { connect, type Socket } from 'node:net';
import process, { argv, exit } from 'node:process';
import type { LoadFigures, LoadOptions } from './load.ts';

const { origin, token, uid, sku, eager, slow, idle } = JSON.parse(argv[2] ?? '') as LoadOptions;
const { hostname, port } = new URL(origin);
const body = JSON.stringify({ uid, line_items: [{ sku, quantity: 1 }] });
const request = [
  'POST /rewards/v1/partner/redeemptiononskus HTTP/1.1',
  'Host: localhost',
  `Authorization: ${token}`,
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
  '',
  body,
].join('\r\n');
/** The number of chunks in a slow call, sent a second apart. The total is within the 15 s limit for a request. */
const pieces = 10;

const placed: string[] = [];
/** Replies that are neither an order nor a complete refusal. */
const wrong: string[] = [];
let [refused, unanswered, under] = [0, 0, 0];
let [isStopping, isGone, isOver] = [false, false, false];
const began = performance.now();
let seconds = 0;

/** Holds a connection open and reconnects whenever it closes. */
function keep(use: (socket: Socket) => void): void {
  if (isStopping || isGone) return;
  const socket = connect(Number(port), hostname, () => use(socket));
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'ECONNREFUSED') isGone = true;
  });
  socket.once('close', () => {
    if (isGone) end();
    else keep(use);
  });
}

/** Reads replies in sequence. If the server closes the connection during a call, that call remains open. */
class Replies {
  readonly #socket: Socket;
  readonly #onReply: () => void;
  #text = '';
  #isOpen = false;

  constructor(socket: Socket, onReply: () => void) {
    this.#socket = socket;
    this.#onReply = onReply;
    socket.setEncoding('latin1').on('data', (text: string) => this.#read(text));
    socket.once('close', () => {
      if (!this.#isOpen) return;
      unanswered += 1;
      under -= 1;
    });
  }

  /** Marks the start of a call. */
  open(): void {
    this.#isOpen = true;
    under += 1;
  }

  #read(text: string): void {
    this.#text += text;
    const head = this.#text.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#text)?.[1] ?? 0);
    if (this.#text.length < head + 4 + length) return;
    countReply(this.#text.slice(0, head), this.#text.slice(head + 4));
    const closes = /\r\nconnection: close/i.test(this.#text);
    this.#text = '';
    this.#isOpen = false;
    under -= 1;
    if (isStopping) end();
    else if (!closes) this.#onReply();
    else this.#socket.end();
  }
}

const refusal = { name: 'Service Unavailable', message: 'Temporarily unavailable', code: 65, status: 503 };
const refusedBody = JSON.stringify({ ...refusal, type: 'ServiceUnavailableHttpException' });

function countReply(head: string, content: string): void {
  const status = head.slice(9, 12);
  if (status === '200') placed.push((JSON.parse(content) as { order_id: string }).order_id);
  else if (status === '503' && /\r\nretry-after: 1(\r|$)/i.test(head) && content === refusedBody) refused += 1;
  else if (wrong.length < 20) wrong.push(`${head}\r\n\r\n${content}`);
}

/** Sends the next order as soon as the previous one has a reply. */
function hurry(socket: Socket): void {
  const ask = () => {
    replies.open();
    socket.write(request);
  };
  const replies = new Replies(socket, ask);
  ask();
}

/** Sends one order after another, one chunk per second. */
function dribble(socket: Socket): void {
  const size = Math.ceil(request.length / pieces);
  let at = 0;
  let isAnswered = true;
  const replies = new Replies(socket, () => {
    isAnswered = true;
  });
  const timer = setInterval(() => {
    if (at >= request.length && isAnswered) at = 0;
    // If the server refuses a partially sent call, send the rest anyway.
    if (at >= request.length || (at === 0 && isStopping)) return;
    if (at === 0) {
      replies.open();
      isAnswered = false;
    }
    socket.write(request.slice(at, at + size));
    at += size;
  }, 1000);
  socket.once('close', () => clearInterval(timer));
}

function measure(): void {
  seconds = (performance.now() - began) / 1000;
}

function end(): void {
  if (isOver || (!isGone && under > 0)) return;
  isOver = true;
  if (seconds === 0) measure();
  const figures: LoadFigures = { placed, refused, unanswered: unanswered + under, wrong, seconds };
  process.send?.(figures, () => exit(0));
}

for (let number = 0; number < idle; number += 1) keep(() => {});
for (let number = 0; number < eager; number += 1) keep(hurry);
// Start times are spread over the duration of a call, like those of independent callers.
for (let number = 0; number < slow; number += 1) setTimeout(() => keep(dribble), (number / slow) * pieces * 1000);
process.once('message', () => {
  isStopping = true;
  measure();
  end();
});
