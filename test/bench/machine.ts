import { statfsSync } from 'node:fs';
import { availableParallelism, cpus, homedir, hostname, release, totalmem, userInfo } from 'node:os';
import { version } from 'node:process';

/** The machine of a run, in enough detail to check the figures but without identifying its owner. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memory: string;
  readonly kernel: string;
  readonly node: string;
  readonly fileSystem: string;
}

const fileSystems = new Map([
  [0xef53, 'ext4'],
  [0x01021994, 'tmpfs (no disk)'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x794c7630, 'overlay'],
  [0x2fc12fc1, 'zfs'],
]);

/** Describes this machine, including the disk of a folder. */
export function thisMachine(dir: string): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: `Linux ${/^\d+\.\d+/.exec(release())?.[0] ?? ''}`,
    node: version,
    fileSystem: fileSystems.get(statfsSync(dir).type) ?? 'another',
  };
}

/** Removes this machine's folders, host name and user name from text. */
export function withoutPlaces(text: string, names: readonly string[] = [homedir(), hostname(), userInfo().username]) {
  const named = names.filter((name) => name.length > 2);
  const bare = named.reduce(
    (rest, name) => rest.replaceAll(name, '...'),
    text.replace(/(?:file:\/\/)?(?:\/[\w.@+-]+){2,}/g, '...'),
  );
  return bare.replace(/\s+/g, ' ').trim().slice(0, 300);
}
