static bool isOwnIndex(Expr index);
struct LinearSum {};
auto size = std::optional<int64_t>(128);
enum class FpMode { Strict };
bool forGpu;
auto text = "strict";
case ScalarFn::Exp:
static bool usesVar(Expr root);
bool carriesAxisUnchanged(Expr body);
struct AxisFlow {};
PassManager passes(module->getName());
static thread_local int depth;
