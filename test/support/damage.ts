/** Damages a file at random places, as faulty disks and people do. */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

/** Returns a random number from 0 up to 1. */
export type Random = () => number;

/** Makes a source of numbers that look random, always the same for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const below = (random: Random, end: number): number => Math.floor(random() * end);

type Damage = (file: number, size: number, page: number, random: Random) => string;

const kinds: readonly Damage[] = [flip, flip, flipEarly, cut, zero, noise, swap, repeat];

/** Damages a file once, and describes the damage. `pageBytes` is the size of a page. */
export function damageFile(path: string, pageBytes: number, random: Random): string {
  const file = openSync(path, 'r+');
  try {
    const kind = kinds[below(random, kinds.length)] ?? flip;
    return kind(file, fstatSync(file).size, pageBytes, random);
  } finally {
    closeSync(file);
  }
}

function flip(file: number, size: number, _page: number, random: Random): string {
  return flipAt(file, below(random, size), below(random, 8));
}

/** Flips a bit in the header of a page, which describes the rest of the page. */
function flipEarly(file: number, size: number, page: number, random: Random): string {
  const place = below(random, size / page) * page + below(random, 200);
  return flipAt(file, place, below(random, 8));
}

function flipAt(file: number, place: number, bit: number): string {
  const byte = read(file, place, 1);
  byte[0] = (byte[0] ?? 0) ^ (1 << bit);
  writeSync(file, byte, 0, 1, place);
  return `bit ${bit} of byte ${place} flipped`;
}

function cut(file: number, size: number, page: number, random: Random): string {
  const left = random() < 0.5 ? below(random, size) : below(random, size / page) * page;
  ftruncateSync(file, left);
  return `cut to ${left} bytes`;
}

function zero(file: number, size: number, page: number, random: Random): string {
  const place = below(random, size / page);
  writeSync(file, Buffer.alloc(page), 0, page, place * page);
  return `page ${place} zeroed`;
}

function noise(file: number, size: number, page: number, random: Random): string {
  const place = below(random, size);
  const bytes = Buffer.from(
    Array.from({ length: Math.min(1 + below(random, page), size - place) }, () => below(random, 256)),
  );
  writeSync(file, bytes, 0, bytes.length, place);
  return `${bytes.length} bytes of noise at ${place}`;
}

function swap(file: number, size: number, page: number, random: Random): string {
  const [one, other] = [below(random, size / page), below(random, size / page)];
  const [first, second] = [read(file, one * page, page), read(file, other * page, page)];
  writeSync(file, first, 0, page, other * page);
  writeSync(file, second, 0, page, one * page);
  return `pages ${one} and ${other} swapped`;
}

function repeat(file: number, size: number, page: number, random: Random): string {
  const [from, to] = [below(random, size / page), below(random, size / page)];
  writeSync(file, read(file, from * page, page), 0, page, to * page);
  return `page ${from} in the place of page ${to}`;
}

function read(file: number, place: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, place);
  return bytes;
}
