/** Compares the replies of a recorded server with those of the sandbox (OP-258). */

import { maskUrl } from '../activity-log/masking.ts';
import type { Checker } from '../conformance/checker.ts';
import { mediaType } from '../conformance/decoding.ts';
import { type HeaderList, header, type Reply } from '../conformance/exchange.ts';
import { callWords, cut, type Finding } from '../conformance/finding.ts';
import { jsonOf } from '../conformance/statements/parsed-exchange.ts';
import { isStated } from '../contract/basis.ts';
import { getOrCreate } from '../runtime/caches.ts';
import type { Clients } from '../testing/workspace.ts';
import { basisOfHeader, basisOfPlace, basisOfStatus, placesIn } from './basis.ts';
import { leavesOf, type RecordedCall } from './call.ts';
import { Replay } from './replay.ts';
import { Shape, shapeDifferences } from './shapes.ts';

/** A difference between a recorded server and the sandbox. */
export interface Difference {
  readonly operation: string | null;
  /** JSON pointer into the message, such as `/body/token`. */
  readonly place: string;
  readonly kind: string;
  readonly sandbox: string;
  readonly recorded: string;
  /** The statements or the open point behind it; null if nobody has raised the question yet. */
  readonly basis: string | null;
  times: number;
  /** The first call with this difference. `number` is its position in the recording, or null if the difference spans several calls. */
  readonly example: { readonly number: number | null; readonly call: string };
}

/** The result of a comparison. */
export interface Comparison {
  readonly compared: number;
  /** Number of calls that were not compared, by reason. */
  readonly not_compared: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
}

/** Reply headers that callers act on, each with a function that returns the part to compare. */
const headers: Readonly<Record<string, (value: string) => string>> = {
  'www-authenticate': (value) => value.split(/\s/, 1)[0]?.toLowerCase() ?? '',
  'retry-after': () => 'present',
  'cache-control': (value) => value.toLowerCase().replaceAll(/\s/g, ''),
  location: () => 'present',
};

/** Compares recorded calls with the sandbox, first those to the platform and then those to the client. */
export class ComparisonRun {
  readonly #checker: Checker;
  readonly #connect: () => Promise<Clients>;
  readonly #deadline: AbortSignal;
  readonly #differences = new Map<string, Difference>();
  readonly #notCompared = new Map<string, number>();
  #compared = 0;

  /**
   * @param connect creates a workspace and resolves with its clients
   * @param deadline aborts when the maximum duration of a comparison is over
   */
  constructor(checker: Checker, connect: () => Promise<Clients>, deadline: AbortSignal) {
    this.#checker = checker;
    this.#connect = connect;
    this.#deadline = deadline;
  }

  /** Counts a call that cannot be compared, by reason. */
  skip(why: string): void {
    this.#notCompared.set(why, (this.#notCompared.get(why) ?? 0) + 1);
  }

  /**
   * Compares the calls to the platform and to the client. Each side has its own workspace, so neither affects the other.
   *
   * @param ofRecording findings from rules that span several calls; the sandbox follows those rules
   * @param onProgress called after each call with the number of calls done
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

  /** Counts a call that was not compared. Its reply can still contradict the contract. */
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
    const empty = () => ({ call, sandbox: new Shape(), recorded: new Shape(), known: new Set<string>() });
    const pair = getOrCreate(shapes, key, empty);
    pair.sandbox.add(sandbox);
    pair.recorded.add(recorded);
    for (const { pointer } of ofReply) pair.known.add(pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*'));
  }

  /** Adds a difference in status. If the request has a finding, its basis becomes the basis of the difference. */
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

  /** Compares the error codes in two bodies. */
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
    const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
    const about = { operation, place, kind: code, sandbox: expected, recorded: actual };
    this.#count({ ...about, basis, times, example: { number, call: callWords(finding) } });
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

  /** Adds a difference, or increments the count of a known one with the same operation, location, kind and basis. */
  #count(difference: Difference): void {
    const { operation, place, kind, basis, times } = difference;
    const key = JSON.stringify([operation, place, kind, basis]);
    const known = this.#differences.get(key);
    if (known === undefined) this.#differences.set(key, difference);
    else known.times += times;
  }
}

/** Returns a sort key: open points by number, then statements, then new questions. */
function order({ basis }: Difference): string {
  return `${basis === null ? 2 : isStated(basis) ? 1 : 0} ${basis}`;
}

/** The replies of both sides for one operation and status. */
interface Pair {
  /** The first recorded call with this operation and status. */
  readonly call: RecordedCall;
  readonly sandbox: Shape;
  readonly recorded: Shape;
  /** Locations with a difference that a finding already reports. */
  readonly known: Set<string>;
}
