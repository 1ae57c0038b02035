/** The names of segments as keys of a driver: each attempt of each writer to write a segment has its own. */

/** No two attempts to write have the same name, so no attempt can destroy the result of another. */
export interface SegmentName {
  /** The segment's number in the journal. */
  readonly id: number;
  /** Counts the writers so far. Two writers that start at the same moment may have the same epoch. */
  readonly epoch: number;
  /** The writer: 16 random hexadecimal digits. */
  readonly token: string;
  /** Counts the attempts of the writer. */
  readonly attempt: number;
}

const PATTERN = /^segments:(0|[1-9]\d{0,14})-(0|[1-9]\d{0,14})-([0-9a-f]{16})-(0|[1-9]\d{0,14})$/;

export const nameOf = ({ id, epoch, token, attempt }: SegmentName): string =>
  `segments:${id}-${epoch}-${token}-${attempt}`;

/** Reads a name. Returns undefined for any text that `nameOf` does not make. */
export function parseName(text: string): SegmentName | undefined {
  const [, id, epoch, token, attempt] = PATTERN.exec(text) ?? [];
  if (token === undefined) return undefined;
  return { id: Number(id), epoch: Number(epoch), token, attempt: Number(attempt) };
}

/** Returns the most trustworthy name if nothing else is known: the last attempt of the newest writer. */
export function newestOf(names: readonly SegmentName[]): SegmentName | undefined {
  return [...names].sort((a, b) => b.epoch - a.epoch || b.id - a.id || b.attempt - a.attempt)[0];
}
