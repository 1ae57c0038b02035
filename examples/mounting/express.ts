/** Mounts the API in an app of Express: `npx tsx examples/mounting/express.ts [port]`. */
import express from 'express';
import { createShop, port } from './shop.js';

const shop = await createShop();

const app = express();
app.use('/shop', shop.listener);
app.use(express.json());
app.get('/', (_request, response) => {
  response.send('The API is below /shop.\n');
});

app.listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));
