import { expect, it, vi } from 'vitest';
import { constant, watchFiles } from '../../../../server/transport/reloaded.js';

it('reports the changes of values that are not read from files, until it ends', () => {
  const listeners = new Set<() => void>();
  const subscribe = (onChange: () => void) => {
    listeners.add(onChange);
    return () => void listeners.delete(onChange);
  };
  const onChange = vi.fn();
  const end = watchFiles([{ ...constant(1), subscribe }, constant(2)], onChange, () => undefined);
  for (const listener of listeners) listener();
  expect(onChange).toHaveBeenCalledTimes(1);
  end();
  expect(listeners.size).toBe(0);
});
