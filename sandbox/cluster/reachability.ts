import { connect } from 'node:tls';
import type { Timer } from '../runtime/clock.ts';
import { hostAndPortOf, makingTls } from './instances.ts';

/** The interval between checks of an instance on which calls wait, in milliseconds. */
const checkMilliseconds = 2_000;
/** Maximum time to connect to another instance, in milliseconds. */
export const connectMilliseconds = 2_000;
/** The number of consecutive failed connections after which an instance counts as unreachable. */
const mostFailures = 2;

interface ReachabilityOptions {
  /** The key that all instances share. */
  readonly key: Uint8Array;
  /** Returns whether the instance at this address has a valid lease. */
  readonly isLive: (address: string) => Promise<boolean>;
  readonly timer: Timer;
}

/** An instance on which calls wait, or that is unreachable. */
interface Watched {
  /** Callbacks that each end a waiting call. */
  readonly calls: Set<() => void>;
  /** Whether a call was forwarded since the last check. */
  isUsed: boolean;
  failures: number;
  cancel: () => void;
}

/**
 * A monitor of the instances on which calls wait. An established connection does not show that the network between two
 * instances is cut. It stays open and silent for a minute or more.
 */
export class Reachability {
  readonly #options: ReachabilityOptions;
  readonly #watched = new Map<string, Watched>();

  constructor(options: ReachabilityOptions) {
    this.#options = options;
  }

  /** The addresses of instances that have a valid lease but do not accept connections from here. */
  get unreachable(): readonly string[] {
    return [...this.#watched.keys()].filter((address) => !this.isReachable(address));
  }

  /** Returns whether calls can be sent to an address. An unknown address counts as reachable. */
  isReachable(address: string): boolean {
    return (this.#watched.get(address)?.failures ?? 0) < mostFailures;
  }

  /** Calls `lost` when the instance has lost its lease or is unreachable. Returns a function that stops watching. */
  watch(address: string, lost: () => void): () => void {
    const watched = this.#watched.get(address) ?? this.#begin(address);
    watched.isUsed = true;
    watched.calls.add(lost);
    return () => watched.calls.delete(lost);
  }

  /** Returns whether the instance completes a TLS handshake. A process that is dying or suspended accepts connections but sends nothing. */
  answers(address: string): Promise<boolean> {
    const [host, port] = hostAndPortOf(address);
    return new Promise((resolve) => {
      const socket = connect({ host, port, ...makingTls(this.#options.key) });
      const tell = (is: boolean) => () => {
        cancel();
        socket.destroy();
        resolve(is);
      };
      const cancel = this.#options.timer(tell(false), connectMilliseconds);
      socket.once('secureConnect', tell(true)).once('error', tell(false)).once('close', tell(false));
    });
  }

  close(): void {
    for (const { cancel } of this.#watched.values()) cancel();
    this.#watched.clear();
  }

  #begin(address: string): Watched {
    const watched = { calls: new Set<() => void>(), isUsed: true, failures: 0, cancel: () => {} };
    this.#watched.set(address, watched);
    this.#wait(address, watched);
    return watched;
  }

  #wait(address: string, watched: Watched): void {
    watched.cancel = this.#options.timer(() => void this.#check(address, watched), checkMilliseconds);
  }

  async #check(address: string, watched: Watched): Promise<void> {
    const isNeeded = watched.isUsed || watched.calls.size > 0 || !this.isReachable(address);
    if (isNeeded && (await this.#options.isLive(address))) {
      watched.isUsed = false;
      await this.#knock(address, watched);
      if (this.#watched.get(address) === watched) this.#wait(address, watched);
      return;
    }
    this.#watched.delete(address);
    for (const lost of watched.calls) lost();
  }

  /** Tries to connect, and tries a second time if that fails. */
  async #knock(address: string, watched: Watched): Promise<void> {
    while (!(await this.answers(address))) {
      watched.failures += 1;
      if (watched.failures < mostFailures) continue;
      for (const lost of watched.calls) lost();
      return;
    }
    watched.failures = 0;
  }
}
