// For development only: `npm run parts`. The build does not include it.
import '../ui/theme/theme.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { Actions } from './actions';
import { BothSchemes } from './both-schemes';
import { Charts } from './charts';
import { Fields } from './fields';
import { Lists } from './lists';
import { Messages } from './messages';
import { Navigation } from './navigation';
import style from './parts.module.css';

const AllParts = () => (
  <MemoryRouter>
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <main className={style.parts}>
        <h1>Parts</h1>
        <Actions />
        <Fields />
        <Messages />
        <Lists />
        <Charts />
        <Navigation />
      </main>
    </QueryClientProvider>
  </MemoryRouter>
);

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>{location.search === '?all' ? <AllParts /> : <BothSchemes />}</StrictMode>,
);
