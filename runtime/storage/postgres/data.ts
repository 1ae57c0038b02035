/** The connections and the state of the data, for all parts of the driver. */
import { randomBytes } from 'node:crypto';
import { Known } from './known.js';
import { quoted } from './names.js';
import type { PostgresDriverOptions } from './options.js';
import { Session } from './session.js';
import { targetOf } from './target.js';
import { Values } from './values.js';

export interface Data {
  /** The name of the schema, and the channel of its notifications. */
  readonly name: string;
  /** The name of the schema, quoted for SQL. */
  readonly schema: string;
  /** Identifies this server among the writers. */
  readonly writer: string;
  readonly values: Values;
  readonly known: Known;
  /** Changes with each restore. */
  epoch: string;
  /** Set if the server may be a standby. A standby does not take listeners. */
  readonly readOnly: boolean;
  /** The connection for changes. */
  readonly writes: Session;
  /** The connection for short questions. */
  readonly questions: Session;
  /** The connection that loads objects, listens, and reads the changes of other servers. */
  readonly changes: Session;
  /** Whether notifications arrive; undefined until this is known. */
  hears: boolean | undefined;
  /** Called with messages for operators. */
  readonly notice: (message: string) => void;
}

/** Reads the options, without connecting. Throws a `DriverError` for invalid options. */
export function dataOf(options: PostgresDriverOptions): Data {
  const { observer, encryption, readOnly = false, onNotice = () => {} } = options;
  const target = targetOf(options, readOnly);
  return {
    name: target.schema,
    schema: quoted(target.schema),
    writer: randomBytes(6).toString('base64url'),
    values: new Values(encryption),
    known: new Known(),
    epoch: '',
    readOnly,
    writes: new Session(target, observer),
    questions: new Session(target, observer),
    changes: new Session(target, observer),
    hears: undefined,
    notice: onNotice,
  };
}
