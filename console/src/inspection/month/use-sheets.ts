import type { SheetPage } from '@svc/sdk';
import { useCallback, useEffect, useState } from 'react';
import { type Fault, faultOf, type InspectionService } from '../service';

/** What was read. Each reading is recorded, so that a month is read once. */
const READ = new WeakMap<InspectionService, Map<string, SheetPage>>();

interface Sheets {
  readonly page: SheetPage | undefined;
  readonly fault: Fault | undefined;
  readonly retry: () => void;
}

/** The sheets of a month. */
export function useSheets(service: InspectionService, month: string): Sheets {
  const known = READ.get(service)?.get(month);
  const [page, setPage] = useState(known);
  const [fault, setFault] = useState<Fault>();
  const read = useCallback(async () => {
    setFault(undefined);
    try {
      const found = await service.sheets(month);
      READ.set(service, (READ.get(service) ?? new Map()).set(month, found));
      setPage(found);
    } catch (error) {
      setFault(faultOf(error));
    }
  }, [service, month]);
  useEffect(() => {
    if (known === undefined) void read();
  }, [known, read]);
  return { page, fault, retry: () => void read() };
}
