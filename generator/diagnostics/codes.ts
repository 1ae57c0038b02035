/** Every code a diagnostic can have. A code keeps its meaning for ever; `docs/diagnostics.md` has a row for each. */

export interface CodeInfo {
  /** Errors stop generation, warnings do not. */
  readonly severity: 'error' | 'warning';
  readonly title: string;
}

const error = (title: string): CodeInfo => ({ severity: 'error', title });
const warning = (title: string): CodeInfo => ({ severity: 'warning', title });

/** KF1: reading files. KF2: the format. KF3: names, references and the structure of schemas. KF4: what they mean. */
export const codes = {
  KF1001: error('a file or folder cannot be read'),
  KF1002: error('a file is not UTF-8'),
  KF1003: error('a file is not YAML'),
  KF1004: error('a key is written twice'),
  KF1005: error('a file is too large'),
  KF1006: error('values are nested too deeply or multiplied by aliases'),
  KF1007: error('an alias refers to nothing'),
  KF1008: error('a tag does not fit its value'),
  KF1009: error('a key is not a string'),
  KF1010: error('a merge key has nothing to merge'),
  KF1011: warning('an unquoted value means different things to different YAML readers'),
  KF1012: error('a number is not one that JSON can hold'),
  KF1013: error('there is nothing to generate from'),

  KF2001: error('a document is not a definition'),
  KF2002: error('a definition has an unknown kind or API version'),
} as const satisfies Record<string, CodeInfo>;

export type Code = keyof typeof codes;
