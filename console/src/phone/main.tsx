import '../ui/layout/theme.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { takeArrival } from './arrival';
import { Phone } from './phone';

// Before anything else is done: what the address says may be a secret.
const arrived = takeArrival();

/** All of it reads and writes on this phone first, so it runs without a network too. */
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Phone arrived={arrived} />
    </QueryClientProvider>
  </StrictMode>,
);

// Where there is none the page works all the same, online.
void navigator.serviceWorker?.register('/phone/sw.js').catch(() => undefined);
