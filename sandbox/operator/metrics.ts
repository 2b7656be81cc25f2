import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CallObserver, ObservedCall, WorkspacesMeasured } from '../runtime/observer.ts';
import type { CommitObserver } from '../store/commit-log.ts';

const name = (text: string) => `rewards_sandbox_${text}`;
const milliseconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/**
 * Measurements of a sandbox in the form of Prometheus (OP-218). Labels are names of contracts, of operations and statuses, so their
 * number is bounded by the contracts.
 */
export class Metrics implements CallObserver, CommitObserver {
  readonly now: () => number;
  readonly #registry = new Registry();
  readonly #calls = new Counter({
    name: name('calls_total'),
    help: 'Completed calls.',
    labelNames: ['api', 'operation', 'status'] as const,
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: name('call_duration_seconds'),
    help: 'Time from entering the queue to the end of the response.',
    labelNames: ['api', 'operation'] as const,
    buckets: milliseconds,
    registers: [this.#registry],
  });
  readonly #refused = new Counter({
    name: name('refused_calls_total'),
    help: 'Calls that did not reach an operation.',
    labelNames: ['status'] as const,
    registers: [this.#registry],
  });
  readonly #commits = this.#counter('commits_total', 'Batches written.');
  readonly #transactions = this.#counter('committed_transactions_total', 'Transactions in the batches.');
  readonly #bytes = this.#counter('committed_bytes_total', 'Size of the batches.');
  readonly #flushes = new Histogram({
    name: name('flush_duration_seconds'),
    help: 'Time to make writes durable.',
    buckets: milliseconds,
    registers: [this.#registry],
  });
  readonly #count = this.#gauge('workspaces', 'Number of workspaces.');
  readonly #loaded = this.#gauge('workspaces_loaded', 'Workspaces in memory.');
  readonly #limit = this.#gauge('workspaces_limit', 'Maximum number of workspaces.');
  readonly #lag = this.#gauge('due_lag_seconds', 'Age of the oldest overdue task.');
  #skew: Gauge | undefined;
  #unreachable: Gauge | undefined;
  #lease: { readonly left: Gauge; readonly lost: Gauge } | undefined;
  readonly #unusable = new Gauge({
    name: name('workspaces_unusable'),
    help: 'Workspaces that serve no calls, by reason.',
    labelNames: ['why'] as const,
    registers: [this.#registry],
  });

  /**
   * @param now milliseconds of a monotonic clock
   * @param logWriteFailures how many writes to the log have failed so far
   */
  constructor(now: () => number, logWriteFailures: () => number) {
    this.now = now;
    new Counter({
      name: name('log_write_failures_total'),
      help: 'Failed writes to the log, e.g. on a full disk.',
      registers: [this.#registry],
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

  /** The measurements as text; those of workspaces are as given, left out while there are none. */
  text(workspaces: WorkspacesMeasured | undefined): Promise<string> {
    if (workspaces !== undefined) {
      this.#count.set(workspaces.count);
      this.#loaded.set(workspaces.loaded);
      this.#limit.set(workspaces.limit);
      this.#lag.set(workspaces.dueLag);
      this.#unusable.set({ why: 'gave_up' }, workspaces.gaveUp);
      this.#unusable.set({ why: 'paused' }, workspaces.paused);
      this.#unusable.set({ why: 'load_failed' }, workspaces.loadFailed);
      this.#showLease(workspaces.lease);
      this.#showSkew(workspaces.clockSkew);
      this.#showUnreachable(workspaces.unreachable);
    }
    return this.#registry.metrics();
  }

  /** Where there is none, it is not measured. */
  #showLease(lease: WorkspacesMeasured['lease']): void {
    if (lease === undefined) return;
    this.#lease ??= {
      left: this.#gauge('lease_seconds', 'Time until the lease on the workspaces in memory expires unless renewed.'),
      lost: this.#gauge('leases_lost', 'Number of times the lease expired before renewal.'),
    };
    this.#lease.left.set(lease.left / 1000);
    this.#lease.lost.set(lease.lost);
  }

  #showSkew(skew: WorkspacesMeasured['clockSkew']): void {
    if (skew === undefined) return;
    this.#skew ??= this.#gauge('clock_skew_seconds', "Offset of this machine's clock ahead of PostgreSQL's clock.");
    this.#skew.set(skew / 1000);
  }

  #showUnreachable(unreachable: WorkspacesMeasured['unreachable']): void {
    if (unreachable === undefined) return;
    this.#unreachable ??= this.#gauge('instances_unreachable', 'Running instances that this one cannot reach.');
    this.#unreachable.set(unreachable.length);
  }

  #counter(of: string, help: string): Counter {
    return new Counter({ name: name(of), help, registers: [this.#registry] });
  }

  #gauge(of: string, help: string): Gauge {
    return new Gauge({ name: name(of), help, registers: [this.#registry] });
  }
}
