/** Mounts the API in an app of Express: `npx tsx examples/mounting/express.ts [port]`. */
import express from 'express';
import { startServer } from 'kindforge/server';
import { port, shopOptions } from './shop.js';

const shop = await startServer({ ...shopOptions, http: false });

const app = express();
app.use('/shop', shop.listener);
app.use(express.json());
app.get('/', (_request, response) => {
  response.send('The API is below /shop.\n');
});

app.listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));
