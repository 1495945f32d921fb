// llama.cpp's own ids of texts: oracle FILE.gguf [PRE] < lines of hex UTF-8; answers one line of ids for each.
#include "llama-vocab.h"
#include "llama-model-loader.h"
#include "llama-impl.h"
#include "gguf.h"
#include <iostream>
#include <string>
static void quiet(ggml_log_level, const char *, void *) {}
int main(int argc, char ** argv) {
    llama_log_set(quiet, nullptr);
    gguf_init_params ip = { true, nullptr };
    gguf_context * g = gguf_init_from_file(argv[1], ip);
    if (!g) { std::cerr << "cannot read\n"; return 1; }
    if (argc > 2 && *argv[2]) gguf_set_val_str(g, "tokenizer.ggml.pre", argv[2]);
    for (int i = 3; i < argc; i++) { std::string k = argv[i]; auto e = k.find('='); gguf_set_val_bool(g, k.substr(0, e).c_str(), k.substr(e + 1) == "true"); }
    std::vector<std::string> splits;
    llama_model_loader ml(g, nullptr, nullptr, "", splits, nullptr, (llama_load_mode) 0, false, true, false, nullptr, nullptr);
    llama_vocab v;
    try { v.load(ml, LLM_KV(LLM_ARCH_LLAMA)); } catch (const std::exception & e) { std::cerr << "error: " << e.what() << "\n"; return 2; }
    std::cerr << "bos " << v.get_add_bos() << " eos " << v.get_add_eos() << " n " << v.n_tokens() << "\n";
    std::string line;
    while (std::getline(std::cin, line)) {
        std::string s;
        for (size_t i = 0; i + 1 < line.size(); i += 2) s += (char) std::stoi(line.substr(i, 2), nullptr, 16);
        auto ids = v.tokenize(s, true, true);
        for (size_t i = 0; i < ids.size(); i++) std::cout << (i ? " " : "") << ids[i];
        std::cout << "\n";
    }
}
