/** Names of the members that the demo's page offers; any other member is called by their number. */
export const AGENTS: ReadonlyMap<string, string> = new Map([
  ['agent001', 'Nguyễn Thị An'],
  ['agent002', 'Trần Văn Bình'],
  ['agent003', 'Lê Thu Cúc'],
  ['agent004', 'Phạm Quốc Dũng'],
  ['agent005', 'Võ Minh Hạnh'],
]);
