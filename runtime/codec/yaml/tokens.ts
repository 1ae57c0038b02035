/** Walks the tokens of a YAML text with their offsets. */
import { CST, Lexer } from 'yaml';

export type YamlTokenType = ReturnType<typeof CST.tokenType>;

export interface YamlToken {
  readonly type: YamlTokenType;
  readonly text: string;
  readonly offset: number;
}

/** All tokens in order; plain and block texts are `scalar`. Lazy, linear in time, without recursion. */
export function* yamlTokens(text: string): Generator<YamlToken, void> {
  let offset = 0;
  let scalarFollows = false;
  for (const source of new Lexer().lex(text)) {
    const type: YamlTokenType = scalarFollows ? 'scalar' : CST.tokenType(source);
    const isMark = !scalarFollows && (type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end');
    // Marks are not in the text; one of them says that the next token is a scalar, whatever it looks like.
    scalarFollows = !scalarFollows && type === 'scalar';
    if (isMark) continue;
    yield { type, text: source, offset };
    offset += source.length;
  }
}
