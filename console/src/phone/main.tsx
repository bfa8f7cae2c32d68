import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Clock } from '../ui/lists/time';
import { WordsContext } from '../ui/words';
import { consumeArrival } from './arrival';
import { watchInstallOffer } from './install/install';
import type { Strings } from './language/en';
import { messageOf } from './language/messages';
import { locale, speak } from './language/strings';
import { Phone } from './phone';
import { svc } from './service';

/** Opens the page in the language of its texts. */
export function open(texts: Strings): void {
  speak(texts);
  // Before anything is shown, because the address may contain a secret.
  const arrived = consumeArrival();
  const words = { ...texts.shared, locale, messageOf };

  watchInstallOffer();

  /** Queries and mutations read and write the local database first, so they also run without a network. */
  const queries = new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });

  createRoot(document.querySelector('#root') as HTMLElement).render(
    <StrictMode>
      <WordsContext value={words}>
        <QueryClientProvider client={queries}>
          <Clock value={() => svc.serverNow()}>
            <Phone arrived={arrived} />
          </Clock>
        </QueryClientProvider>
      </WordsContext>
    </StrictMode>,
  );

  // Without a service worker, the page still works online.
  void navigator.serviceWorker?.register('/phone/sw.js').catch(() => undefined);
}
