/** Zones with unusual offsets or changes of the clocks. The years are past ones, whose rules no longer change. */
export const UNUSUAL_ZONES = [
  ...['Africa/Cairo', 'Africa/Casablanca', 'America/Caracas', 'America/Havana', 'America/New_York'],
  ...['America/Santiago', 'America/Sao_Paulo', 'America/Scoresbysund', 'America/St_Johns', 'Asia/Beirut'],
  ...['Asia/Kathmandu', 'Asia/Pyongyang', 'Asia/Tehran', 'Atlantic/Azores', 'Australia/Lord_Howe'],
  ...['Europe/London', 'Europe/Madrid', 'Europe/Moscow', 'Pacific/Apia', 'Pacific/Chatham'],
];
export const [FIRST_YEAR, LAST_YEAR] = [2012, 2023];
