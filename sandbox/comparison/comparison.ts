/** Compares the replies of a recorded server with those of the sandbox (OP-258). */

import { maskUrl } from '../activity-log/masking.ts';
import type { Checker } from '../conformance/checker.ts';
import { mediaType } from '../conformance/decoding.ts';
import { type HeaderList, header, type Reply } from '../conformance/exchange.ts';
import { callWords, cut, type Finding } from '../conformance/finding.ts';
import { isStated } from '../contract/basis.ts';
import type { Clients } from '../testing/workspace.ts';
import { basisOfHeader, basisOfPlace, basisOfStatus, placesIn } from './basis.ts';
import { jsonOf, leavesOf, type RecordedCall } from './call.ts';
import { Replay } from './replay.ts';
import { Shape, shapeDifferences } from './shapes.ts';

/** Something that a recorded server does in another way than the sandbox. */
export interface Difference {
  readonly operation: string | null;
  /** JSON pointer into the messages, such as `/body/token`. */
  readonly place: string;
  readonly kind: string;
  readonly sandbox: string;
  readonly recorded: string;
  /** The statements, or the open point; null for a question that nobody has asked yet. */
  readonly basis: string | null;
  times: number;
  /** The first call that shows it; its number in the recording is null if several calls show it. */
  readonly example: { readonly number: number | null; readonly call: string };
}

/** The outcome of a comparison. */
export interface Comparison {
  readonly compared: number;
  /** Calls that were not compared, by why. */
  readonly not_compared: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
}

/** The headers of a reply that callers act on, and what of each is compared. */
const headers: Readonly<Record<string, (value: string) => string>> = {
  'www-authenticate': (value) => value.split(/\s/, 1)[0]?.toLowerCase() ?? '',
  'retry-after': () => 'present',
  'cache-control': (value) => value.toLowerCase().replaceAll(/\s/g, ''),
  location: () => 'present',
};

/** Compares recorded calls with the sandbox, one side of them after the other. */
export class ComparisonRun {
  readonly #checker: Checker;
  readonly #connect: () => Promise<Clients>;
  readonly #deadline: AbortSignal;
  readonly #differences = new Map<string, Difference>();
  readonly #notCompared = new Map<string, number>();
  #compared = 0;

  /**
   * @param connect makes a fresh workspace
   * @param deadline aborted after the ten minutes that a comparison may take
   */
  constructor(checker: Checker, connect: () => Promise<Clients>, deadline: AbortSignal) {
    this.#checker = checker;
    this.#connect = connect;
    this.#deadline = deadline;
  }

  /** Counts a call that cannot be compared. */
  skip(why: string): void {
    this.#notCompared.set(why, (this.#notCompared.get(why) ?? 0) + 1);
  }

  /**
   * Compares the calls that platform and client answered, each side in a workspace of its own: neither sees what the other one did.
   *
   * @param ofRecording findings that take several calls to see; the sandbox keeps the rules that they break
   * @param onProgress called after each call
   */
  async run(
    calls: readonly RecordedCall[],
    ofRecording: readonly Finding[],
    onProgress: (done: number) => void,
  ): Promise<Comparison> {
    let done = 0;
    for (const host of ['platform', 'client'] as const) {
      const own = calls.filter(({ operation }) => operation.hostedBy === host);
      if (own.length === 0) continue;
      const replay = new Replay(await this.#connect(), calls);
      await replay.seed(own);
      const shapes = new Map<string, Pair>();
      for (const call of own) {
        const answer = this.#deadline.aborted
          ? { why: 'the comparison took longer than ten minutes' }
          : await replay.answer(call);
        if ('why' in answer) this.#skipCall(call, answer.why);
        else this.#compare(call, answer, shapes);
        done += 1;
        onProgress(done);
      }
      for (const pair of shapes.values()) this.#compareShapes(pair);
    }
    for (const finding of ofRecording) this.#addFinding(finding, null);
    const differences = [...this.#differences.values()].toSorted((one, other) =>
      order(one).localeCompare(order(other), 'en', { numeric: true }),
    );
    return { compared: this.#compared, not_compared: Object.fromEntries(this.#notCompared), differences };
  }

  /** Counts a call that was not compared: its reply is still held against the contract. */
  #skipCall({ findings, number, reply }: RecordedCall, why: string): void {
    this.skip(why);
    if (reply.status >= 500) return;
    for (const found of findings.filter(({ direction }) => direction === 'reply')) this.#addFinding(found, number);
  }

  #compare(call: RecordedCall, reply: Reply, shapes: Map<string, Pair>): void {
    this.#compared += 1;
    const { exchange, operation, findings } = call;
    const own = this.#checker.check({ ...exchange, reply }).findings;
    const isShared = (found: Finding) =>
      own.some(({ code, pointer }) => code === found.code && pointer === found.pointer);
    const ofReply = findings.filter((found) => found.direction === 'reply' && !isShared(found));
    for (const found of ofReply) this.#addFinding(found, call.number);
    if (call.reply.status !== reply.status) {
      if (!ofReply.some(({ pointer }) => pointer === '/status')) this.#addStatus(call, reply.status);
      return;
    }
    this.#compareHeaders(call, reply.headers, ofReply);
    const [sandbox, recorded] = [jsonOf(reply), jsonOf(call.reply)];
    if (sandbox === undefined || recorded === undefined) return;
    if (reply.status >= 400) this.#compareCodes(call, sandbox, recorded);
    const key = `${operation.operationId} ${reply.status}`;
    const pair = shapes.get(key) ?? { call, sandbox: new Shape(), recorded: new Shape(), known: new Set() };
    shapes.set(key, pair);
    pair.sandbox.add(sandbox);
    pair.recorded.add(recorded);
    for (const { pointer } of ofReply) pair.known.add(pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*'));
  }

  /** A status that the sandbox does not have: it concerns what is wrong with the request, where it has refused that. */
  #addStatus(call: RecordedCall, status: number): void {
    const cause = call.findings.find(({ direction, severity }) => direction === 'request' && severity !== 'notice');
    const basis = cause?.basis ?? basisOfStatus(call.operation, call.reply.status);
    const [sandbox, recorded] = [String(status), String(call.reply.status)];
    const because = cause === undefined ? '' : `, because ${cause.pointer} ${cause.expected}`;
    this.#add(call, { place: '/status', kind: 'status', sandbox: `${sandbox}${because}`, recorded, basis });
  }

  #compareHeaders(call: RecordedCall, sent: HeaderList | undefined, ofReply: readonly Finding[]): void {
    const { headers: recorded, status } = call.reply;
    if (recorded === undefined) return;
    for (const [name, form] of Object.entries({ ...headers, 'content-type': String })) {
      const place = `/headers/${name}`;
      const [ours, theirs] = [sent, recorded].map((list) => {
        const value = name === 'content-type' ? mediaType(list) : header(list, name);
        return value === undefined || value === '' ? 'absent' : form(value);
      });
      if (ours === theirs || ofReply.some(({ pointer }) => pointer === place)) continue;
      const basis = basisOfHeader(call.operation, status, name);
      this.#add(call, { place, kind: 'header', sandbox: ours ?? '', recorded: cut(theirs ?? ''), basis });
    }
  }

  /** Compares the codes of errors. */
  #compareCodes(call: RecordedCall, sandbox: unknown, recorded: unknown): void {
    const ours = new Map([...leavesOf(sandbox)].map(({ pointer, value }) => [pointer, value]));
    const places = placesIn(call.operation, call.reply.status);
    for (const { name, pointer, value } of leavesOf(recorded)) {
      const own = ours.get(pointer);
      if (name !== 'code' || typeof own !== 'number' || own === value) continue;
      const words = { sandbox: String(own), recorded: cut(String(value)) };
      this.#add(call, { place: `/body${pointer}`, kind: 'code', ...words, basis: basisOfPlace(places, pointer) });
    }
  }

  #compareShapes({ call, sandbox, recorded, known }: Pair): void {
    const places = placesIn(call.operation, call.reply.status);
    for (const { place, ...difference } of shapeDifferences(sandbox, recorded, (one) => places.has(one))) {
      const pointer = `/body${place}`;
      if ([...known].some((one) => pointer === one || pointer.startsWith(`${one}/`))) continue;
      this.#add(call, { ...difference, place: cut(pointer), basis: basisOfPlace(places, place) });
    }
  }

  #addFinding(finding: Finding, number: number | null): void {
    const { operation, pointer, code, expected, actual, basis, severity, times } = finding;
    if (severity === 'notice') return;
    const about = {
      place: pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*'),
      kind: code,
      sandbox: expected,
      recorded: actual,
    };
    this.#count({ ...about, operation, basis, times, example: { number, call: callWords(finding) } });
  }

  #add(
    { operation, exchange, number, reply }: RecordedCall,
    difference: Pick<Difference, 'place' | 'kind' | 'sandbox' | 'recorded'> & { readonly basis: string | undefined },
  ): void {
    const { method, url } = exchange;
    const call = callWords({ method: cut(method), url: cut(maskUrl(url)), status: reply.status });
    const { operationId } = operation;
    const basis = difference.basis ?? null;
    this.#count({ ...difference, operation: operationId, basis, times: 1, example: { number, call } });
  }

  /** Adds a difference, once for each operation, place and kind. */
  #count(difference: Difference): void {
    const { operation, place, kind, basis, times } = difference;
    const key = JSON.stringify([operation, place, kind, basis]);
    const known = this.#differences.get(key);
    if (known === undefined) this.#differences.set(key, difference);
    else known.times += times;
  }
}

/** Open points by their number, then statements, then new questions. */
function order({ basis }: Difference): string {
  return `${basis === null ? 2 : isStated(basis) ? 1 : 0} ${basis}`;
}

/** The replies of an operation with one status, on both sides. */
interface Pair {
  /** The first of the calls. */
  readonly call: RecordedCall;
  readonly sandbox: Shape;
  readonly recorded: Shape;
  /** Places where a finding says already what is different. */
  readonly known: Set<string>;
}
