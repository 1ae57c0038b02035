import { isUnauthorized } from 'kindforge/client';
import { useState } from 'react';
import { api, signIn } from '../api';
import { useObjects } from './use-objects';

const widgets = api.shop.v1.widgets.in('default');

export function App() {
  const [isShown, show] = useState(true);
  return (
    <>
      <label>
        <input type="checkbox" checked={isShown} onChange={(event) => show(event.target.checked)} /> Show the widgets
      </label>
      {isShown && <Widgets />}
    </>
  );
}

function Widgets() {
  const [labelSelector, select] = useState('');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const { objects, ready, error } = useObjects(api.shop.v1.widgets, { namespace: 'default', labelSelector });
  const act = (request: Promise<unknown>) => {
    request.then(
      () => setProblem(''),
      (failure) => setProblem(String(failure)),
    );
  };
  return (
    <main>
      <input
        placeholder="Labels, as in shop=north"
        value={labelSelector}
        onChange={(event) => select(event.target.value)}
      />
      {isUnauthorized(error) && (
        <input type="password" placeholder="Token" onChange={(event) => signIn(event.target.value)} />
      )}
      {error && <p role="alert">{error.message}</p>}
      {problem && <p role="alert">{problem}</p>}
      {ready ? (
        <ul>
          {objects.map(({ metadata: { name = '', uid }, spec }) => (
            <li key={uid}>
              {name}: {spec.count} {spec.size}{' '}
              <button type="button" onClick={() => act(widgets.delete(name))}>
                Delete
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p>Loading …</p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act(widgets.create({ metadata: { name }, spec: { size: 'small' } }));
        }}
      >
        <input placeholder="Name" value={name} onChange={(event) => setName(event.target.value)} />
        <button type="submit">Create</button>
      </form>
    </main>
  );
}
