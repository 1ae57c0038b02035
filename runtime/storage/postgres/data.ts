/** What all parts of the driver share: the connections, and what is known of the data. */
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
  /** The name of the schema as SQL has it. */
  readonly schema: string;
  /** Names this server among the writers. */
  readonly writer: string;
  readonly values: Values;
  readonly known: Known;
  /** Changes with each restore. */
  epoch: string;
  /** The connection for changes. */
  readonly writes: Session;
  /** The connection for short questions. */
  readonly questions: Session;
  /** The connection that loads, listens, and reads the changes of others. */
  readonly changes: Session;
  /** Called with what operators should know. */
  readonly notice: (message: string) => void;
}

/** Rejects options that cannot be right with a `DriverError`; connects to nothing yet. */
export function dataOf(options: PostgresDriverOptions): Data {
  const target = targetOf(options, options.readOnly ?? false);
  const { observer, encryption, onNotice = () => {} } = options;
  return {
    name: target.schema,
    schema: quoted(target.schema),
    writer: randomBytes(6).toString('base64url'),
    values: new Values(encryption),
    known: new Known(),
    epoch: '',
    writes: new Session(target, observer),
    questions: new Session(target, observer),
    changes: new Session(target, observer),
    notice: onNotice,
  };
}
