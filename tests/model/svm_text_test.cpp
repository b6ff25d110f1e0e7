#include "model/svm_text.h"

#include <gtest/gtest.h>

#include "tests/support/bits.h"

namespace isometric::test {
namespace {

const std::string header = "svm_type nu_svr\nkernel_type rbf\ngamma 0.04\nnr_class 2\ntotal_sv 2\nrho -1.25\nSV\n";
const std::string vectors = "-4 1:0.5 2:0.25 \n4 2:1e-3\n";

TEST(SvmText, ReadsWhatLibsvmWrites) {
    const auto svm = parse_svm_text(header + vectors, 3, "text");
    ASSERT_TRUE(svm) << svm.error().message;
    EXPECT_EQ(svm->kernel.type, KernelType::rbf);
    EXPECT_SAME_BITS(svm->kernel.gamma, 0.04);
    EXPECT_SAME_BITS(svm->rho, -1.25);
    EXPECT_SAME_BITS(svm->coefficients, (std::vector<double>{-4, 4}));
    EXPECT_SAME_BITS(svm->values, (std::vector<double>{0.5, 0.25, 0, 0, 1e-3, 0}));
    EXPECT_EQ(svm->listed, (std::vector<std::uint64_t>{3, 2}));
}

TEST(SvmText, BlanksAndTheLastLineEndDoNotMatter) {
    for (const std::string& text :
         {header + "-4 1:0.5 2:0.25 \n4 2:1e-3", header + "  -4  1:0.5\t2:0.25\r\n\n4 2:1e-3 \r\n\n",
          std::string("svm_type nu_svr kernel_type rbf gamma 0.04 nr_class 2 total_sv 2 rho -1.25 SV -4 1:0.5 2:0.25\n4 2:1e-3")}) {
        const auto svm = parse_svm_text(text, 3, "text");
        ASSERT_TRUE(svm) << svm.error().message << "\n" << text;
        EXPECT_SAME_BITS(svm->coefficients, (std::vector<double>{-4, 4}));
        EXPECT_SAME_BITS(svm->values, (std::vector<double>{0.5, 0.25, 0, 0, 1e-3, 0}));
    }
}

TEST(SvmText, KnowsEveryParameterAndKernel) {
    const auto svm = parse_svm_text(
        "svm_type epsilon_svr\nkernel_type polynomial\ndegree 3\ngamma 0.5\ncoef0 -1\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 1 -1\n"
        "probA 0.1\nprobB 0.2\nnr_sv 1 0\nSV\n1 1:1\n",
        1, "text");
    ASSERT_TRUE(svm) << svm.error().message;
    EXPECT_EQ(svm->kernel, (Kernel{KernelType::polynomial, 0.5, -1, 3}));
    for (const char* kernel : {"linear", "rbf", "sigmoid"})
        EXPECT_TRUE(parse_svm_text(
            std::string("svm_type nu_svr\nkernel_type ") + kernel + "\ngamma 1\ncoef0 0\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1\n", 1,
            "text"))
            << kernel;
    EXPECT_TRUE(parse_svm_text("svm_type nu_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1\n", 1, "text"));
    EXPECT_TRUE(
        parse_svm_text("svm_type nu_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1\n", 1, "text"));  // a vector of zeros
}

struct Broken {
    const char* what;  // is in the message
    std::string text;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(SvmText, RefusesWhatIsNoCompleteRegression) {
    const std::string good = header + vectors;
    const Broken cases[] = {
        {"ends before the word SV", ""},
        {"ends before the word SV", "svm_type nu_svr\n"},
        {"svm_type is missing", replaced(good, "svm_type nu_svr\n", "")},
        {"kernel_type is missing", replaced(good, "kernel_type rbf\n", "")},
        {"gamma is missing", replaced(good, "gamma 0.04\n", "")},
        {"nr_class is missing", replaced(good, "nr_class 2\n", "")},
        {"total_sv is missing", replaced(good, "total_sv 2\n", "")},
        {"rho is missing", replaced(good, "rho -1.25\n", "")},
        {"degree is missing", replaced(good, "rbf", "polynomial")},
        {"coef0 is missing", replaced(good, "rbf", "sigmoid")},
        {"unknown parameter 'gama'", replaced(good, "gamma", "gama")},
        {"gamma is given twice", replaced(good, "gamma 0.04", "gamma 0.04\ngamma 0.05")},
        {"unknown svm_type 'svr'", replaced(good, "nu_svr", "svr")},
        {"gives classes", replaced(good, "nu_svr", "c_svc")},
        {"gives classes", replaced(good, "nu_svr", "nu_svc")},
        {"gives classes", replaced(good, "nu_svr", "one_class")},
        {"precomputed", replaced(good, "rbf", "precomputed")},
        {"unknown kernel_type 'RBF'", replaced(good, "rbf", "RBF")},
        {"gamma 'x' is not a finite number", replaced(good, "0.04", "x")},
        {"gamma '0,04' is not a finite number", replaced(good, "0.04", "0,04")},
        {"rho 'inf' is not a finite number", replaced(good, "-1.25", "inf")},
        {"rho 'nan' is not a finite number", replaced(good, "-1.25", "nan")},
        {"rho '1e999' is not a finite number", replaced(good, "-1.25", "1e999")},
        {"nr_class is 3", replaced(good, "nr_class 2", "nr_class 3")},
        {"total_sv '0'", replaced(good, "total_sv 2", "total_sv 0")},
        {"total_sv '-1'", replaced(good, "total_sv 2", "total_sv -1")},
        {"total_sv '99999999999'", replaced(good, "total_sv 2", "total_sv 99999999999")},
        {"ends after 2 support vectors; total_sv is 3", replaced(good, "total_sv 2", "total_sv 3")},
        {"ends after 2 support vectors; total_sv is 2147483647", replaced(good, "total_sv 2", "total_sv 2147483647")},
        {"more support vectors than total_sv", replaced(good, "total_sv 2", "total_sv 1")},
        {"ends after 1 support vectors", header + "-4 1:0.5 2:0.25 \n"},
        {"ends after 0 support vectors", header},
        {"index must be 1 to 3", replaced(good, "2:1e-3", "4:1e-3")},
        {"index must be 1 to 3", replaced(good, "2:1e-3", "0:1e-3")},
        {"index must be 1 to 3", replaced(good, "2:1e-3", "-1:1e-3")},
        {"index must be 1 to 3", replaced(good, "2:1e-3", "2.0:1e-3")},
        {"index must be 1 to 3", replaced(good, "2:1e-3", ":1e-3")},
        {"index must be 1 to 3", replaced(good, "2:1e-3", "99999999999999999999:1e-3")},
        {"indices must ascend", replaced(good, "1:0.5 2:0.25", "2:0.5 1:0.25")},
        {"indices must ascend", replaced(good, "1:0.5 2:0.25", "2:0.5 2:0.25")},
        {"value is not a finite number", replaced(good, "2:1e-3", "2:")},
        {"value is not a finite number", replaced(good, "2:1e-3", "2")},
        {"value is not a finite number", replaced(good, "2:1e-3", "2:0,5")},
        {"value is not a finite number", replaced(good, "2:1e-3", "2:1:3")},
        {"value is not a finite number", replaced(good, "2:1e-3", "2:inf")},
        {"coefficient '1:0.5' is not a finite number", replaced(good, "-4 1:0.5", "1:0.5")},
        {"coefficient 'SV'", replaced(good, "-4", "SV")},
        {"unknown parameter", std::string("svm_type nu_svr\n\0", 17) + header},
    };
    for (const Broken& broken : cases) {
        const auto svm = parse_svm_text(broken.text, 3, "file.json: model_dict.model");
        ASSERT_FALSE(svm) << broken.what << "\n" << broken.text;
        EXPECT_EQ(svm.error().code, Code::bad_model);
        EXPECT_NE(svm.error().message.find(broken.what), std::string::npos) << svm.error().message << "\nexpected: " << broken.what;
        EXPECT_EQ(svm.error().message.find("file.json: model_dict.model: line "), 0u) << svm.error().message;
    }
}

TEST(SvmText, MessagesNameTheLine) {
    const auto svm = parse_svm_text(header + "-4 1:0.5 2:0.25 \n4 2:x\n", 3, "text");
    ASSERT_FALSE(svm);
    EXPECT_EQ(svm.error().message.find("text: line 9: "), 0u) << svm.error().message;
}

// Every prefix of a text is either refused or ends inside a number's last digits or after it.
TEST(SvmText, TruncatedTextsAreRefused) {
    const std::string good = header + vectors;
    std::size_t accepted = 0;
    for (std::size_t length = 0; length < good.size(); ++length) accepted += bool(parse_svm_text(good.substr(0, length), 3, "text"));
    EXPECT_EQ(accepted, 4u);  // "4", "4 ", "4 2:1" and the whole without its line end
}

}  // namespace
}  // namespace isometric::test
