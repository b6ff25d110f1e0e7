# cmake -DTABLE=models.table -DOUTPUT=file.cpp -P embed.cmake: the table as a C++ string. Lines are joined to literals of a few kilobytes,
# which every compiler takes, and nothing has to run on the target.
file(READ "${TABLE}" text)
if(text MATCHES "[\"\\\\]")
  message(FATAL_ERROR "${TABLE} must hold no quotes and no backslashes")
endif()
string(REPLACE "\n" "\\n\"\n\"" text "${text}")
file(WRITE "${OUTPUT}.new" "// Made from builtin/models.table; do not edit.
#include \"model/builtin.h\"

namespace isometric {

std::string_view builtin_model_table() {
    static constexpr std::string_view text =
\"${text}\";
    return text;
}

}  // namespace isometric
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
