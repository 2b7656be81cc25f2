import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CallObserver, ObservedCall, WorkspacesMeasured } from '../runtime/observer.ts';
import type { CommitObserver } from '../store/commit-log.ts';

const milliseconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Measurements of the workspaces. Those without a value are omitted. */
const measures: readonly (readonly [string, help: string, (of: WorkspacesMeasured) => number | undefined])[] = [
  ['workspaces', 'Number of workspaces.', ({ count }) => count],
  ['workspaces_loaded', 'Workspaces in memory.', ({ loaded }) => loaded],
  ['workspaces_limit', 'Maximum number of workspaces.', ({ limit }) => limit],
  ['due_lag_seconds', 'Age of the oldest overdue task.', ({ dueLag }) => dueLag],
  [
    'lease_seconds',
    'Time until the lease on the workspaces in memory expires unless renewed.',
    ({ lease }) => lease && lease.left / 1000,
  ],
  ['leases_lost', 'Number of times the lease expired before renewal.', ({ lease }) => lease?.lost],
  [
    'clock_skew_seconds',
    "Offset of this machine's clock ahead of PostgreSQL's clock.",
    ({ clockSkew }) => clockSkew && clockSkew / 1000,
  ],
  ['instances_unreachable', 'Running instances that this one cannot reach.', ({ unreachable }) => unreachable?.length],
];

/**
 * Measurements of a sandbox in Prometheus format (OP-218). Labels are names of contracts and operations, and statuses, so the
 * contracts bound their number.
 */
export class Metrics implements CallObserver, CommitObserver {
  readonly now: () => number;
  readonly #registry = new Registry();
  readonly #calls = this.#counter('calls_total', 'Completed calls.', 'api', 'operation', 'status');
  readonly #durations = this.#histogram(
    'call_duration_seconds',
    'Time from entering the queue to the end of the response.',
    'api',
    'operation',
  );
  readonly #refused = this.#counter('refused_calls_total', 'Calls that did not reach an operation.', 'status');
  readonly #commits = this.#counter('commits_total', 'Batches written.');
  readonly #transactions = this.#counter('committed_transactions_total', 'Transactions in the batches.');
  readonly #bytes = this.#counter('committed_bytes_total', 'Size of the batches.');
  readonly #flushes = this.#histogram('flush_duration_seconds', 'Time to make writes durable.');
  readonly #measured = new Map<string, Gauge>();
  readonly #unusable = new Gauge({
    ...this.#options('workspaces_unusable', 'Workspaces that serve no calls, by reason.'),
    labelNames: ['why'],
  });

  /**
   * @param now returns milliseconds of a monotonic clock
   * @param logWriteFailures returns the number of failed writes to the log so far
   */
  constructor(now: () => number, logWriteFailures: () => number) {
    this.now = now;
    new Counter({
      ...this.#options('log_write_failures_total', 'Failed writes to the log, e.g. on a full disk.'),
      collect() {
        this.reset();
        this.inc(logWriteFailures());
      },
    });
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  call({ api, operation, status, seconds }: ObservedCall): void {
    const labels = { api: api ?? 'none', operation: operation ?? 'none' };
    this.#calls.inc({ ...labels, status: status ?? 'none' });
    if (seconds !== null) this.#durations.observe(labels, seconds);
  }

  refused(status: number): void {
    this.#refused.inc({ status });
  }

  committed(transactions: number, bytes: number): void {
    this.#commits.inc();
    this.#transactions.inc(transactions);
    this.#bytes.inc(bytes);
  }

  flushing(): () => void {
    const began = this.now();
    return () => this.#flushes.observe((this.now() - began) / 1000);
  }

  /** Resolves with the measurements as text. Measurements of workspaces are omitted if `workspaces` is undefined. */
  text(workspaces: WorkspacesMeasured | undefined): Promise<string> {
    if (workspaces !== undefined) {
      for (const [of, help, read] of measures) {
        const value = read(workspaces);
        if (value !== undefined) this.#gauge(of, help).set(value);
      }
      this.#unusable.set({ why: 'gave_up' }, workspaces.gaveUp);
      this.#unusable.set({ why: 'paused' }, workspaces.paused);
      this.#unusable.set({ why: 'load_failed' }, workspaces.loadFailed);
    }
    return this.#registry.metrics();
  }

  #options(of: string, help: string) {
    return { name: `rewards_sandbox_${of}`, help, registers: [this.#registry] };
  }

  #counter<Label extends string>(of: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ ...this.#options(of, help), labelNames });
  }

  #histogram<Label extends string>(of: string, help: string, ...labelNames: Label[]): Histogram<Label> {
    return new Histogram({ ...this.#options(of, help), labelNames, buckets: milliseconds });
  }

  #gauge(of: string, help: string): Gauge {
    const gauge = this.#measured.get(of) ?? new Gauge(this.#options(of, help));
    this.#measured.set(of, gauge);
    return gauge;
  }
}
