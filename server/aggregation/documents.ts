/** The latest discovery and OpenAPI documents of one version of another server. */
import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isArray, isObject, isStringArray, objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import { isOpenApiV2, type RemoteVersion, versionOfOpenApiV2 } from '../../runtime/server/index.js';
import { jsonObjectIn } from '../text/limits.js';
import type { PoolAnswer } from '../webhooks/pool.js';

export class Documents {
  resources: readonly JsonObject[] = [];
  openApiV3: string | undefined;
  openApiV2: RemoteVersion['openApiV2'];
  #list = '';
  /** The hash in the index of OpenAPI v3, or of the OpenAPI v2 document if there is no such index. */
  #hash = '';

  constructor(
    private readonly group: string,
    private readonly version: string,
  ) {}

  /**
   * Takes the text of the version's `APIResourceList`. Returns whether it has changed, or `undefined` for other texts,
   * because clients could not read them.
   */
  takeList(text: string): boolean | undefined {
    if (text === this.#list) return false;
    const list = jsonObjectIn(text);
    if (list?.kind !== 'APIResourceList' || list.groupVersion !== `${this.group}/${this.version}`) return undefined;
    const { resources } = list;
    if (!isArray(resources) || !resources.every(isResource)) return undefined;
    this.#list = text;
    this.resources = objectsAt(list, 'resources');
    return true;
  }

  /** Reads the OpenAPI documents. Returns whether they have changed. If reading fails, keeps the earlier ones. */
  async readOpenApi(get: (path: string) => Promise<PoolAnswer>): Promise<boolean> {
    const index = textOf(await get('/openapi/v3'));
    if (index === undefined) return false;
    const entry = objectAt(objectAt(jsonObjectIn(index), 'paths'), `apis/${this.group}/${this.version}`);
    const hash = /[?&]hash=([^&]+)/.exec(stringAt(entry, 'serverRelativeURL'))?.[1];
    if (hash !== undefined && hash === this.#hash) return false;
    const text = textOf(await get('/openapi/v2'));
    if (text === undefined) return false;
    const read = hash ?? createHash('sha256').update(text).digest('hex');
    if (read === this.#hash) return false;
    const document = jsonObjectIn(text);
    this.#hash = read;
    this.openApiV3 = hash;
    this.openApiV2 = isOpenApiV2(document) ? versionOfOpenApiV2(document, this.group, this.version) : undefined;
    return true;
  }
}

/** Checks an entry of a list for the fields that clients rely on. */
const isResource = (value: JsonValue): boolean =>
  isObject(value) &&
  stringAt(value, 'name') !== '' &&
  stringAt(value, 'kind') !== '' &&
  typeof value.namespaced === 'boolean' &&
  isStringArray(value.verbs);

/** Returns the text of an answer: empty if there is no such document, `undefined` if this is not known. */
function textOf(answer: PoolAnswer): string | undefined {
  if (!answer.ok || (answer.code !== 200 && answer.code !== 404)) return undefined;
  return answer.code === 200 ? answer.text : '';
}
