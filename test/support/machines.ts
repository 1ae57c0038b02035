/** Machines with a network between them: network namespaces of Linux, which only root may make. Each can be cut off. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import type { Machine } from './etcd.js';

/** A machine that can be cut off. */
export interface Networked extends Machine {
  /** Loses everything that is sent to it and by it, without a word to anybody. */
  cut(): void;
  mend(): void;
}

export interface Network {
  readonly machines: readonly Networked[];
  /** Removes it; what runs there has ended before. */
  close(): void;
}

const ip = (...args: string[]): boolean => spawnSync('ip', args).status === 0;

/** Whether machines can be made here. */
export const hasMachines = ((): boolean => {
  const name = `kf${process.pid}probe`;
  const bridge = `kf${process.pid % 100_000}p`;
  const works = ip('netns', 'add', name) && ip('link', 'add', bridge, 'type', 'bridge');
  ip('link', 'del', bridge);
  ip('netns', 'del', name);
  return works;
})();

/** Opens the network. This machine is on it, too. */
export function openNetwork(size: number): Network {
  const id = `kf${randomInt(0x1000000).toString(16)}`;
  const net = `10.${randomInt(64, 128)}.${randomInt(256)}`;
  const need = (...args: string[]): void => {
    const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
  };
  need('link', 'add', id, 'type', 'bridge');
  need('addr', 'add', `${net}.254/24`, 'dev', id);
  need('link', 'set', id, 'up');
  const machines = Array.from({ length: size }, (_, index): Networked => {
    const [space, near] = [`${id}n${index}`, `${id}v${index}`];
    const address = `${net}.${index + 1}`;
    need('netns', 'add', space);
    need('link', 'add', near, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    need('link', 'set', near, 'master', id, 'up');
    for (const command of ['addr add ADDRESS/24 dev eth0', 'link set eth0 up', 'link set lo up'])
      need('-n', space, ...command.replace('ADDRESS', address).split(' '));
    return {
      address,
      run: ['ip', 'netns', 'exec', space],
      cut: () => need('link', 'set', near, 'down'),
      mend: () => need('link', 'set', near, 'up'),
    };
  });
  return {
    machines,
    close() {
      for (const index of machines.keys()) {
        ip('link', 'del', `${id}v${index}`);
        ip('netns', 'del', `${id}n${index}`);
      }
      ip('link', 'del', id);
    },
  };
}
