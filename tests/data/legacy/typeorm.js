// typeorm.js OUT.db - sessions and messages of an older program, as TypeORM writes them: camelCase
// columns, enums as CHECKs, foreign keys, times as text in UTC without a Z.
const fs = require("fs");
const { DataSource, EntitySchema } = require("typeorm");

const AgentSession = new EntitySchema({
  name: "AgentSession",
  tableName: "AgentSession",
  columns: {
    id: { type: "integer", primary: true, generated: "increment" },
    sessionKey: { type: "varchar", length: 255 },
    title: { type: "varchar", nullable: true },
    status: {
      type: "simple-enum",
      enum: ["active", "suspended", "completed", "cancelled", "error"],
      default: "active",
    },
    errorMessage: { type: "text", nullable: true },
    createdAt: { type: "datetime", createDate: true },
    updatedAt: { type: "datetime", updateDate: true },
  },
  relations: {
    messages: { type: "one-to-many", target: "ChatMessage", inverseSide: "session" },
  },
});

const ChatMessage = new EntitySchema({
  name: "ChatMessage",
  tableName: "ChatMessage",
  columns: {
    id: { type: "integer", primary: true, generated: "increment" },
    role: { type: "simple-enum", enum: ["user", "assistant", "system", "tool"] },
    content: { type: "text", nullable: true },
    createdAt: { type: "datetime", createDate: true },
  },
  relations: {
    session: {
      type: "many-to-one",
      target: "AgentSession",
      inverseSide: "messages",
      onDelete: "CASCADE",
      nullable: false,
    },
  },
});

// The key, status, title, error, created and updated, and the messages: role, content, minute.
const sessions = [
  ["support:anna", "completed", "Refund", null,
    "2024-05-01T10:00:00.125Z", "2024-05-02T09:00:00.5Z",
    [["user", "Where is my refund?", 0],
      ["assistant", "It was sent on Monday.", 1],
      ["user", "Thanks, and the invoice?", 30],
      ["assistant", "Attached.", 31]]],
  ["support:ben", "cancelled", null, null, "2024-05-03T08:00:00Z", "2024-05-03T12:00:00.25Z",
    [["system", "You are a patient clerk.", 0],
      ["user", "How many orders are open?", 1],
      ["assistant", "I look.", 2],
      ["tool", '{"open":3}', 2],
      ["assistant", "Three.", 2]]],
  ["support:cleo", "active", "Nothing said yet", null,
    "2024-05-04T08:00:00Z", "2024-05-04T08:00:00Z", []],
  ["support:dora", "error", null, "the model timed out",
    "2024-05-05T08:00:00Z", "2024-05-05T08:05:00Z",
    [["user", "Can you hear me?", 0]]],
  ["support:eli", "suspended", null, null, "2024-05-06T08:00:00Z", "2024-05-06T09:00:00Z",
    [["user", null, 0],
      ["assistant", "I see only an attachment.", 1],
      ["user", "Right, here is what I meant.", 2],
      ["assistant", "", 3],
      ["assistant", "  \n", 3]]],
  ["support:anna", "completed", "The same key again", null,
    "2024-05-07T08:00:00Z", "2024-05-07T08:09:00Z",
    [["user", "One more thing.", 0],
      ["assistant", "Go on.", 1]]],
  ["", "active", null, null, "2024-05-08T08:00:00Z", "2024-05-08T08:01:00Z",
    [["user", "I have no key.", 0]]],
  ["support:" + "x".repeat(1100), "cancelled", null, null,
    "2024-05-09T08:00:00Z", "2024-05-09T10:00:00Z", []],
];

async function main(out) {
  process.env.TZ = "UTC";
  const source = new DataSource({
    type: "sqljs",
    entities: [AgentSession, ChatMessage],
    synchronize: true,
  });
  await source.initialize();
  for (const row of sessions) {
    const [sessionKey, status, title, errorMessage, createdAt, updatedAt, messages] = row;
    const begin = new Date(createdAt);
    const session = await source.getRepository("AgentSession").save({
      sessionKey, status, title, errorMessage, createdAt: begin, updatedAt: new Date(updatedAt),
    });
    for (const [role, content, minute] of messages) {
      const at = new Date(begin.getTime() + minute * 60000);
      await source.getRepository("ChatMessage").save({ session, role, content, createdAt: at });
    }
  }
  fs.writeFileSync(out, source.driver.export());
  await source.destroy();
}

main(process.argv[2]).catch((error) => {
  console.error(error);
  process.exit(1);
});
